"""A household: who lives there, whom they know, what they own, and what comes up every week. Drawn from one seed.

1. What is drawn once stays: the same dentist, the same Tuesday lesson, the same dishwasher, as a real household has.
2. The vocabularies are wide enough that ten thousand sentences do not exhaust them, and plain enough to be true.
"""

from __future__ import annotations

import random
from typing import NamedTuple


def _words(listed: str) -> tuple[str, ...]:
    return tuple(word.strip() for word in listed.split(";"))


HER_NAMES = _words("Ada; Amira; Astrid; Beatriz; Bronwen; Camille; Chiara; Daria; Edith; Elif; Esther; Fatou; Freya; Greta; Hanne; Ines; Ingrid; Jana; Judith; Kira; Leonie; Lucia; Maeve; Magda; Marisol; Meera; Nadia; Noor; Odile; Olga; Paloma; Pilar; Renata; Rosa; Runa; Sabine; Saoirse; Selma; Signe; Sofia; Tamar; Tove; Uma; Valerie; Wanda; Xenia; Yara; Ylva; Zoe; Zuzana")
HIS_NAMES = _words("Aksel; Anton; Arjun; Bastian; Bilal; Caspar; Ciaran; Dario; Declan; Emil; Enzo; Farid; Felix; Gustav; Hamza; Hugo; Idris; Ivo; Jonas; Joris; Kaito; Karim; Lars; Leander; Levi; Luka; Marek; Mateo; Milan; Nils; Oskar; Otis; Pavel; Quentin; Rafael; Ruben; Samir; Silas; Stellan; Tadeo; Theo; Tomas; Umar; Viktor; Wim; Xaver; Yusuf; Zeno")
FAMILY_NAMES = _words("Abbott; Adeyemi; Aguilar; Bergström; Bianchi; Brandt; Castell; Chowdhury; Daly; Demir; Ekholm; Falk; Ferreira; Fontaine; Garrido; Haddad; Halloran; Hendricks; Ibsen; Jansen; Kaplan; Keller; Kowalski; Lindqvist; Lombardi; Marchetti; Moreau; Nakamura; Nováková; Okafor; O'Shea; Petrov; Quiroga; Rasmussen; Rinaldi; Sato; Schäfer; Silva; Tanaka; Ueda; Vasquez; Verhoeven; Weiss; Whitlock; Yilmaz; Zapata")
CITIES = _words("Aarhus; Antwerp; Basel; Bergen; Bilbao; Bologna; Bordeaux; Braga; Bristol; Bruges; Cork; Dresden; Edinburgh; Galway; Ghent; Girona; Gothenburg; Graz; Haarlem; Innsbruck; Krakow; Leeds; Leipzig; Lille; Linz; Ljubljana; Lucca; Lyon; Malmö; Nantes; Norwich; Odense; Oviedo; Palermo; Porto; Riga; Rouen; Salzburg; Seville; Split; Tallinn; Tartu; Toulouse; Trieste; Turku; Utrecht; Uppsala; Valencia; Verona; York")
STREETS = _words("Alder Lane; Bakers Row; Canal Street; Chapel Hill; Church Road; Copper Street; Dove Lane; Elm Grove; Ferry Road; Foundry Lane; Garden Walk; Harbour Street; Hazel Close; Kiln Road; Lime Avenue; Market Square; Meadow Way; Mill Lane; North Quay; Oak Terrace; Old Post Road; Orchard Street; Park Row; Priory Road; Quarry Hill; River Street; Rope Walk; School Lane; South Parade; Station Road; Tanner Street; Vine Street; Weaver Lane; West Gate; Willow Bank; Windmill Road")
SHOPS = _words("the corner shop; the bakery on the square; the market hall; the garden centre; the hardware store; the pharmacy by the station; the fishmonger; the butcher; the organic shop; the big supermarket; the bookshop; the bike shop; the stationer; the pet shop; the second-hand shop; the drugstore; the cheese counter; the paint shop; the wine merchant; the florist")
FOODS = _words("oat milk; lemons; coffee beans; rice; olive oil; onions; yoghurt; flour; apples; basil; red lentils; brown sugar; salted butter; cherry tomatoes; chickpeas; feta; mozzarella; spinach; garlic; ginger; coconut milk; tofu; mushrooms; carrots; potatoes; leeks; cinnamon; vanilla sugar; dark chocolate; walnuts; almonds; raisins; honey; rye bread; baguette; tortillas; pasta; couscous; oats; cornflakes; peanut butter; apricot jam; mustard; soy sauce; balsamic vinegar; black pepper; smoked paprika; cumin; bay leaves; eggs; cream; sour cream; cottage cheese; parmesan; ham; chicken thighs; minced beef; salmon; cod; anchovies; olives; capers; gherkins; sauerkraut; beetroot; fennel; courgettes; aubergines; peppers; avocados; limes; oranges; bananas; pears; grapes; blueberries; raspberries; frozen peas; puff pastry; yeast; baking powder; icing sugar; green tea; peppermint tea; apple juice; sparkling water; tonic")
SUPPLIES = _words("dishwasher tablets; washing powder; toilet paper; bin bags; kitchen roll; toothpaste; shampoo; plasters; sun cream; AA batteries; light bulbs; candles; birthday candles; baking paper; cling film; cat litter; bird seed; printer paper; stamps; potting soil; sponges; matches; a sharpener; envelopes")
GROCERS = _words("the corner shop; the market hall; the organic shop; the big supermarket; the farm shop; the Turkish grocer; the discounter; the bakery on the square; the late shop at the station; the cooperative")
DISHES = _words("lentil soup; mushroom risotto; fish stew; spinach pie; dumplings; pumpkin curry; bean chilli; potato gratin; onion tart; lamb tagine; chicken pot pie; aubergine parmigiana; pierogi; shakshuka; paella; minestrone; ramen; falafel; moussaka; ratatouille; cheese fondue; beef goulash; leek quiche; focaccia; gnocchi; pad thai; fish tacos; borscht; dal; bibimbap; spaghetti with clams; stuffed peppers; roast chicken; Sunday roast; nut loaf; beetroot salad; potato salad; tomato soup")
DESSERTS = _words("plum cake; apricot tart; carrot cake; lemon meringue; cinnamon buns; banana bread; apple crumble; tiramisu; rice pudding; pancakes; waffles; chocolate mousse; raspberry slices; shortbread; poppy seed cake; oat biscuits")
DRINKS = _words("flat white; black coffee; decaf; earl grey; rooibos; ginger tea; hot chocolate; oat latte; mint tea; cold brew; chai; elderflower cordial; apple juice with soda; warm milk with honey; espresso; green tea")
ROOMS = _words("kitchen; living room; hall; bathroom; study; attic; cellar; garage; nursery; guest room; laundry room; balcony; conservatory; stairwell; pantry; bedroom")
DEVICES = _words("dishwasher; washing machine; tumble dryer; boiler; oven; freezer; vacuum cleaner; coffee machine; heat pump; router; printer; doorbell; smoke alarm; extractor fan; lawn mower; garage door; thermostat; water softener; television; electric blanket; toaster; food processor; baby monitor; dehumidifier; sewing machine; pressure washer")
TROUBLES = _words("leaks again; hums at night; trips the fuse; shows error E24; shows error F07; will not start; smells of burning; stops halfway through; needs a new filter; makes a grinding noise; beeps every few minutes; is losing pressure; drips onto the floor; loses its connection every evening; gets far too hot; jams when it is cold; only works on the second try; has a cracked hose; runs but does not heat")
SPOTS = _words("behind the cookbooks; in the blue tin on the shelf; under the stairs; in the second drawer of the desk; in the shed, left of the door; on the hook behind the pantry door; in the glove compartment; in the box marked winter; on top of the wardrobe; in the laundry cupboard; inside the piano stool; under the flowerpot with the cracked rim; in the wicker basket in the hall; at the bottom of the toy chest; in the filing cabinet under H; in the old biscuit tin; behind the boiler; in the cellar on the metal shelf; in the sewing box; in the pocket of the green raincoat")
THINGS = _words("spare key; passport folder; drill; sewing kit; tent; picnic blanket; fairy lights; fondue set; cake stand; hot-water bottle; spare fuses; car papers; vaccination booklet; binoculars; sledge; bicycle pump; label maker; paint for the window frames; tape measure; head torch; camping stove; ski goggles; chess set; wrapping paper; extension lead; travel cot; ironing board; bread knife; stapler; first aid kit; projector; raclette grill; air mattress; snow shovel; rubber boots; swimming bag; violin bow; old photo albums")
HOBBIES = _words("pottery; climbing; chess club; choir practice; beekeeping; swimming; calligraphy; fencing; astronomy; baking; woodcarving; tango; bird watching; knitting circle; rowing; archery; judo; ballet; guitar; piano; violin; drums; football training; handball; table tennis; gymnastics; drama group; scouts; yoga; pilates; book club; life drawing; Italian; Spanish; first aid; toddler group; orchestra rehearsal; skating; badminton; bouldering")
VISITS = _words("dentist; eye test; physiotherapy; haircut; vaccination; check-up; orthodontist; skin check; hearing test; blood test; parents' evening; school interview; allergy test; speech therapy; x-ray; travel clinic; class photo; swimming test")
ERRANDS = _words("job interview; passport appointment; car inspection; tyre change; boiler service; chimney sweep; driving lesson; bank appointment; notary; viewing of the flat; piano tuning; window fitting; furniture delivery; kitchen measuring; mammogram; tax adviser; solar panel survey; vet")
SPECIALTIES = _words("paediatrician; family doctor; dentist; orthopaedist; dermatologist; eye doctor; allergist; vet; physiotherapist; cardiologist; orthodontist; midwife")
ALLERGENS = _words("peanuts; walnuts; penicillin; wasp stings; shellfish; kiwi; sesame; hazelnuts; birch pollen; cat hair; latex; ibuprofen; soy; celery; strawberries; mustard")
MEDICINES = _words("cetirizine; vitamin D; thyroxine; the blood pressure tablets; the asthma spray; iron drops; the antibiotic; magnesium; eye drops; the nasal spray; paracetamol; the migraine tablets; omeprazole; the ear drops; melatonin; the allergy drops")
SYMPTOMS = _words("a sore throat; an ear infection; a sprained ankle; hay fever; a rash on both arms; a tickly cough; a migraine; a stiff neck; a stomach bug; growing pains; a swollen knee; a wobbly front tooth; a nosebleed; a blocked ear; conjunctivitis; a fever of 38.6")
BOOKS = _words("The Lighthouse Keeper; A Field Guide to Clouds; Nine Winters; The Salt Road; Moles and Mountains; The Paper Orchestra; Letters to a Beekeeper; Cartographers of Rain; Small Hours; The Last Ferry; The Clockmaker's Garden; Owls of the North; A Short History of Bread; The Sleeping Harbour; Threads; The Tin Astronaut; What the River Kept; Tuesday People; An Island of Glass; The Quiet Engine")
SHOWS = _words("the baking show; the Danish crime series; the one about the lighthouse; the penguin documentary; the quiz with the buzzer; the space series; the old detective films; the cartoon with the fox; the cooking duel; the ski world cup; the history podcast; the audiobook about pirates; the nature programme on Sundays; the satire show; the renovation series; the dragon film")
MUSIC = _words("Bach cello suites; rain sounds; the jazz list; Portuguese fado; the musical about the cats; film scores; nineties hits; whale songs; Nina Simone; Debussy; bossa nova; the sea shanties; the kids' disco list; brown noise; Schubert; Fela Kuti; the harp album; lo-fi beats; Edith Piaf; marching bands")
PLANTS = _words("tomatoes; basil; the fig tree; the lemon tree; hydrangeas; the orchid; the monstera; raspberries; the rhubarb; sweet peas; the box hedge; lavender; the avocado plant; strawberries; courgettes; the climbing rose; tulips; the rubber plant; chives; the apple tree; peonies; the cactus on the sill; runner beans; sunflowers")
SUBJECTS = _words("maths; French; biology; history; geography; physics; chemistry; German; music; art; computing; religious studies; literature; economics; Latin; sport")
PROJECTS = _words("a poster about volcanoes; a model of the solar system; a talk on hedgehogs; a diary of the moon; an essay on the Hanseatic League; a family tree; a report on water use; a board game about rivers; a portrait in charcoal; a short film; a herbarium with twenty leaves; a survey of the school canteen; a map of the old town; a weather log; a speech about honesty")
WORKS = _words("the quarterly review; the museum exhibit; a grant proposal; the new timetable; the bridge inspection; a paediatric study; the harbour survey; the theatre budget; a translation of letters; the seed catalogue; the audit; the merger papers; the product launch; the ward rota; the school inspection; the lab move; the planning application; the annual report; the recruitment round; the trade fair stand")
GIFTS = _words("a watch; a cookbook; a fishing rod; concert tickets; a scarf; a jigsaw of a thousand pieces; a fountain pen; hiking boots; a bird feeder; a set of watercolours; a photo book; a pocket knife; noise-cancelling headphones; a plant stand; a pizza stone; a telescope; a hammock; a weekend by the sea; a sewing machine; a voucher for the spa; wool for a jumper; a dartboard; a bread maker; a globe")
CLOTHES = _words("a winter coat; a rain jacket; school shoes; football boots; swimming trunks; ski trousers; pyjamas; trainers; wellingtons; a gym kit; a Sunday shirt; woollen socks; a bike helmet; ballet shoes; sandals; gloves")
COLOURS = _words("dark green; navy; mustard yellow; brick red; off-white; pale grey; turquoise; burgundy; lilac; charcoal; sky blue; rust; cream; olive; coral; anthracite")
FEELINGS = _words("relieved; nervous; proud; tired; curious; annoyed; hopeful; grateful; homesick; over the moon; a bit lost; calm; worried; amused; embarrassed; torn; quietly pleased; fed up")
WOODS = _words("oak; pine; walnut; beech; birch; cherry; larch; ash; teak; spruce")
MATERIALS = _words("oak; brass; linen; slate; enamel; walnut; cork; felt; granite; bamboo; porcelain; cast iron")
SPORTS = _words("football; handball; tennis; basketball; hockey; volleyball; swimming; table tennis; rugby; badminton")
SPECIES = (("dog", _words("Bramble; Otto; Pepper; Juno; Waffle; Rufus; Mokka; Biscuit")), ("cat", _words("Miso; Findus; Minka; Tiger; Olive; Smilla; Nacho; Mimi")), ("rabbit", _words("Clover; Hopper; Flocke; Dumpling")), ("tortoise", _words("Sheldon; Methusalem; Speedy; Turbo")), ("budgie", _words("Kiwi; Pico; Hansi; Lemon")))
BRANDS = _words("Bosch; Miele; Siemens; Beko; Electrolux; Smeg; Philips; Karcher; Vaillant; Viessmann; Brother; Epson; Dyson; DeLonghi; Makita; Stihl; Gardena; Sonos; Daikin; Grundig")
CARS = _words("the Skoda; the Volvo; the little Fiat; the camper van; the Golf; the Zoe; the Kangoo; the Corolla")
BIRDS = _words("a nuthatch; two bullfinches; a pair of storks; the heron; a kingfisher; a tawny owl; a flock of waxwings; the blackbird with the white feather; a green woodpecker; swifts")
OCCASIONS = _words("birthday; wedding anniversary; name day; graduation; housewarming; retirement party; christening; silver wedding; confirmation; farewell party; summer party; engagement")
GAMES = _words("Carcassonne; Uno; backgammon; the escape room in a box; charades; Catan; rummy; the memory game with the owls; chess; dominoes; Scrabble; pétanque")
VENUES = _words("the town hall; the community centre; the sports hall; the music school; the church hall; the old brewery; the library; the outdoor pool; the botanical garden; the planetarium; the climbing hall; the arts cinema; the open-air theatre; the harbour museum; the ice rink; the allotments; the station forecourt; the lake; the castle park; the youth centre")
RESTAURANTS = _words("the Lebanese place; the trattoria by the bridge; the noodle bar; the vegetarian bistro; the fish restaurant at the harbour; the tapas bar; the Georgian restaurant; the beer garden; the crêperie; the Ethiopian restaurant; the sushi counter; the old mill")
SUBSCRIPTIONS = _words("the newspaper; the music streaming; the vegetable box; the gym; the cloud storage; the film streaming; the phone contract; the broadband; the car club; the language app; the theatre pass; the magazine about trains; the audiobook plan; the contents insurance; the liability insurance; the wine club")
BILLS = _words("electricity; water; heating oil; broadband; school lunches; nursery; waste collection; the plumber; the accountant; the car insurance; after-school care; the chimney sweep; the dentist; the music school; the allotment; the roof repair")
INSTRUMENTS = _words("cello; trumpet; accordion; harp; double bass; bagpipes; clarinet; piano; saxophone; banjo; tuba; viola")
WARES = _words("umbrellas; buttons; maps; hinges; teapots; postcards; slippers; clocks; seeds; marbles; lampshades; globes")
REASONS = _words("the train was cancelled; the babysitter is ill; work ran late; the hall is double-booked; the car is in the workshop; there is a strike; the weather is too bad; someone has the flu; the visit takes longer; school is closed that day; the date clashes with the concert; the part has not arrived; the road is closed; nobody had noticed the holiday")
AFTERTHOUGHTS = _words("No rush.; It can wait until the weekend.; That was {other}'s idea.; {other} asked about it twice.; Please do not mention it to {kid}.; We talked about it at breakfast.; Nobody had written it down so far.; {other} would rather not talk about it.; It came up on the way home from {city}.; Last year we forgot, and it was not funny.; {gran} laughed about it for minutes.; Same as last time.; {friend} recommended it.; Better safe than sorry.; It is the third time this year.; {other} disagrees, by the way, but not very loudly.; We should decide by {day} at the latest.; {kid} keeps asking, so it had better be true.; I hope that is right.; Apparently that is normal.; {neighbour} knows more about it if we are not sure.; Ask me again in {month}.; {other} wrote it on the calendar in the {room} as well.; It was on the note under the magnet, in {gran}'s handwriting.; {kid} has promised to remember it, which means nobody else should rely on it.; {friend} had the same thing in {city} and says it sorts itself out.; I am telling you because I know I will have forgotten it by {day}.; {other} already knows, {gran} does not.; If anything changes, {who} will say so.; Tell {other} when {he2} comes home, {he2} was not there.; It sounds more complicated than it is.; We will see how long it lasts.; The last time it was the other way round.; {who} was quite {feeling} about it.; It took us half an hour to find that out on the phone.; We only know because {friend} told {who} at {venue}.; {kid} drew a picture of it and hung it up in the {room}.; That is the short version.; Not urgent, but not never either.; {other} will check it once more before {day}.; There was a long discussion about it over the {dish}.; So far it has worked every time.; {who} was really happy about it.; It is really annoying, and we would like it to stop.; {gran} was so proud.; {other} also heard it from {friend}.; Please keep it in mind, it is really important to {other}.; That was a truly lovely surprise.; We were all very pleased.; It was absolutely wonderful, says {kid}.")
LEADS = _words("By the way:; For later:; One more thing:; Quick note.; Just so you know:; Before I forget:; Oh, and this:; Note to self:; Sorry, another one:; For the record:; Heads-up:; While I think of it:")


DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
MONTHS = ("January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
          "December")


class Person(NamedTuple):
    """Somebody, with the forms of the pronoun (he, his, him) and a birthday."""

    name: str
    he: str
    his: str
    him: str
    birthday: str


class Routine(NamedTuple):
    """What comes up every week."""

    who: str
    what: str
    day: str
    hour: int
    minute: int
    place: str


class Household(NamedTuple):
    """Who lives together and what does not change from day to day."""

    name: str
    currency: str
    adults: tuple[Person, ...]
    kids: tuple[Person, ...]
    grans: tuple[Person, ...]
    friends: tuple[Person, ...]
    neighbours: tuple[Person, ...]
    colleagues: tuple[Person, ...]
    teachers: tuple[Person, ...]
    doctors: dict[str, str]
    pet: str
    species: str
    car: str
    devices: dict[str, str]
    routines: tuple[Routine, ...]


def household(chance: random.Random) -> Household:
    """A household drawn from a generator."""
    women, men = iter(chance.sample(HER_NAMES, len(HER_NAMES))), iter(chance.sample(HIS_NAMES, len(HIS_NAMES)))
    surnames = iter(chance.sample(FAMILY_NAMES, len(FAMILY_NAMES)))

    def birthday() -> str:
        return f"{chance.randrange(1, 29)} {chance.choice(MONTHS)}"

    def somebody(pattern: str = "{name}") -> Person:
        surname = next(surnames) if "{surname}" in pattern else ""
        if chance.random() < 0.5:
            name = pattern.format(name=next(women), surname=surname, title="Ms")
            return Person(name, "she", "her", "her", birthday())
        return Person(pattern.format(name=next(men), surname=surname, title="Mr"), "he", "his", "him", birthday())

    adults = tuple(somebody() for _ in range(3))
    kids = tuple(somebody() for _ in range(chance.choice((2, 2, 3))))
    grans = (Person("Grandma", "she", "her", "her", birthday()),
             Person(f"Great-uncle {next(men)}", "he", "his", "him", birthday()))
    species, pets = chance.choice(SPECIES)
    family, venues = adults + kids + grans, chance.sample(VENUES, 8)
    routines = tuple(Routine(
        chance.choice(family).name, pastime, chance.choice(DAYS), chance.randrange(14, 20), chance.choice((0, 15, 30, 45)),
        chance.choice(venues))
        for pastime in chance.sample(HOBBIES, 10))
    return Household(
        name=next(surnames), currency=chance.choice(("€", "€", "£", "$")),
        adults=adults, kids=kids, grans=grans,
        friends=tuple(somebody() for _ in range(8)),
        neighbours=tuple(somebody("{title} {surname}") for _ in range(4)),
        colleagues=tuple(somebody("{name} {surname}") for _ in range(5)),
        teachers=tuple(somebody("{title} {surname}") for _ in range(5)),
        doctors={specialty: f"Dr {next(surnames)}" for specialty in chance.sample(SPECIALTIES, 6)},
        pet=chance.choice(pets), species=species, car=chance.choice(CARS),
        devices={device: f"{chance.choice(BRANDS)} {code(chance, 'AA99-9')}" for device in chance.sample(DEVICES, 12)},
        routines=routines)


def code(chance: random.Random, pattern: str) -> str:
    """A code: each A of the pattern becomes a letter, each 9 a digit."""
    drawn = {"A": "ABCDEFGHJKLMNPRSTUVWXYZ", "9": "0123456789"}
    return "".join(chance.choice(drawn[sign]) if sign in drawn else sign for sign in pattern)
