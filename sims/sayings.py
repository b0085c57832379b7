"""What is said to an assistant at home: shapes of sentences by topic, each with a question that it answers.

1. A shape is a text with slots in braces; `sims/corpus.py` fills them from a household, the same slot of one saying
   always with the same words. Slots of one group (r_ a routine, a_ an appointment, c_ what is corrected) belong together.
2. The question asks for the same thing in other words, as people do when they no longer know; | separates two ways of
   asking. It names only what the one who asks would still know.
3. Some of it is spoken to the assistant, some is what an assistant notes down; some is short, some a small story.
"""

from __future__ import annotations

from typing import NamedTuple


class Shape(NamedTuple):
    """A text with slots, the question it answers, and the slot of whom or what it is about (or none)."""

    text: str
    question: str
    entity: str = ""


class Topic(NamedTuple):
    """Shapes of one topic: the kind of memory, how often it comes up, and its salience (None: left to hippo)."""

    kind: str
    weight: float
    shapes: tuple[Shape, ...]
    salience: float | None = None


S = Shape

TOPICS: dict[str, Topic] = {
    "shopping": Topic("episode", 24, (
        S("Please add {shopping} to the shopping list, {who} is cooking {dish} on {day}.", "What do we have to buy for the {dish}?|Shopping for {who}'s {dish}?"),
        S("We are out of {food} and {food2}, and {kid} finished the last of the {food3} this morning.", "What did {kid} finish this morning?|Which things ran out together with the {food}?"),
        S("Put {food} on the list, but the organic kind this time. {other} threw the last packet away.", "Which kind of {food} should we get?"),
        S("{who} will stop at {grocer} after work and bring {shopping}. Take {food3} off the list, we still have two.", "What is {who} bringing from {grocer}?"),
        S("The {food} at {grocer} went up to {cost}, {grocer2} still asks {cost2}. {who} says the difference is not worth the detour.", "Where is the {food} cheaper?|How much is the {food} at {grocer}?"),
        S("Shopping for the weekend: {shopping}, something for the grill, and {food3} if on offer.", "What was on the weekend shopping list with {food3}?"),
        S("Buy {n} packs of {food} for the bake sale at school, {kid} promised {teacher} {n2} trays of {dessert}.", "What did {kid} promise {teacher} for the bake sale?"),
        S("{gran} needs {shopping} and cannot carry it alone, so {who} takes the order along on {day}.", "What does {gran} need us to bring?"),
        S("Ordered the vegetable box for {date}: it should have {food}, {food2} and a surprise. Cost {price}.", "When does the vegetable box come?"),
        S("No more {food} from {grocer}, please. The last lot went off after two days, and {who} got only {cost} back.", "Why do we not buy {food} at {grocer} any more?"),
    )),
    "timer": Topic("episode", 16, (
        S("Timer for {minutes} minutes, the {dish} is in the oven at {degrees} degrees, and {who} wants to be told five minutes before the end.", "How long and how hot does the {dish} bake?"),
        S("Set two timers, please: {minutes} minutes for the {dish}, and {minutes2} minutes for {kid}'s turn on the tablet.", "How long is {kid}'s turn on the tablet?"),
        S("Wake {who} at {early} tomorrow, {he} has to be in {city} by {clock}. Not the loud alarm, {other} sleeps until seven.", "When does {who} have to be in {city}?"),
        S("The {dish} took {minutes} minutes instead of the {minutes2} in the recipe. Use the longer time from now on.", "How long does the {dish} really take?"),
        S("Remind {who} in {minutes} minutes to take the washing out, the {device} does not beep any more.", "Why does {who} need a reminder for the washing?"),
        S("{kid} practises {minutes} minutes before dinner now; the timer with the frog sound, {khe} likes that one.", "Which timer sound does {kid} like?"),
        S("Alarm for {early} on weekdays from {date} on, because {kid}'s bus leaves {n} minutes earlier.", "Why do we get up at {early} from now on?"),
        S("Eggs: {who} wants {n} minutes, {other} wants {n2}. Please remember that for next time.", "How long does {who} want the eggs boiled?"),
    )),
    "appointment": Topic("fact", 20, (
        S("{a_who} has the {a_what} on {a_day}, {a_date}, at {a_clock}, {a_place}. Bring the insurance card.", "When is {a_who}'s {a_what}?|What should {a_who} bring to the {a_what}?", "a_who"),
        S("Appointment for {a_who}: {a_what}, {a_day} {a_date}, {a_clock}. {a_place}, second floor, ring twice.", "Where is {a_who}'s {a_what}?", "a_who"),
        S("Put the {a_what} for {a_who} in the calendar: {a_day} at {a_clock}, it takes about {minutes} minutes and costs {price}.", "What will the {a_what} for {a_who} cost?|On which day is the {a_what}?", "a_who"),
        S("The only free slot for the {a_what} was {a_day}, {a_date}, at {a_clock}; {a_who} takes it, and {other} picks up {kid} that day.", "Who picks up {kid} on the day of {a_who}'s {a_what}?", "a_who"),
        S("They called from {a_place}: the {a_what} is confirmed for {a_day} at {a_clock}. {a_who} should come ten minutes early and fill in the form.", "At what time is the {a_what} confirmed?", "a_who"),
        S("Remind {a_who} the evening before: {a_what} on {a_day} at {a_clock}, and put the papers and the letter in the bag before going to bed.", "What does {a_who} have to do before the {a_what}?", "a_who"),
        S("On {a_day} from {a_clock} on somebody has to be at home for the {a_what}. {a_who} works from the kitchen table then.", "Who stays at home for the {a_what}?", "a_who"),
        S("{doctor}, our {specialty}, is away from {date} to {date2}. In an emergency we go to {doctor2} in {street}.", "Who stands in for {doctor}?|When is our {specialty} away?", "doctor"),
        S("Parents' evening with {teacher} is on {date} at {clock} in room {big}. {who} goes, {other} stays with the little ones.", "Who goes to the parents' evening with {teacher}?", "teacher"),
        S("The {a_what} will be every {n} weeks from now on, always {a_day} at {a_clock}, the next one on {a_date}. {a_who} pays by card.", "How often is the {a_what} from now on?", "a_who"),
    )),
    "correction": Topic("fact", 7, (
        S("Actually {c_who}'s {c_what} is on {c_newday}, not {c_day}. Same time, {c_clock}, and please change it in the calendar too.", "When is {c_who}'s {c_what}?", "c_who"),
        S("Correction: the {c_what} for {c_who} was moved from {c_day} to {c_newday} because {reason}.", "Why was {c_who}'s {c_what} moved?|Which day is the {c_what} now?", "c_who"),
        S("I got that wrong. {c_who} has the {c_what} at {c_newclock}, not at {c_clock}. The day is right, {c_day}; they have sent a letter about it.", "At what time is {c_who}'s {c_what}?", "c_who"),
        S("It is not {c_place} any more: the {c_what} for {c_who} is at {street} {number} now, same day, {c_day}.", "Where does {c_who} go for the {c_what}?", "c_who"),
        S("Scratch what I said about {c_day}. {c_who}'s {c_what} is only in {month}, they will ring us with a date.", "When will we hear about {c_who}'s {c_what}?", "c_who"),
        S("No, not {c_who}. It is {other} who has the {c_what} on {c_day} at {c_clock}; I mixed the two letters up.", "Who has the {c_what} on {c_day}?", "other"),
        S("{c_who} rang: the {c_what} will be an hour later, {c_newclock} instead of {c_clock}, still on {c_day}, still {c_place}.", "What did {c_who} say about the time of the {c_what}?", "c_who"),
    )),
    "routine": Topic("fact", 9, (
        S("{r_who} has {r_what} every {r_day} at {r_clock}, at {r_place}. {other} drives there, {who} brings everybody back.", "Who drives to {r_who}'s {r_what}?|When is {r_what}?", "r_who"),
        S("There is no {r_what} this {r_day} because {reason}. {r_who} can go to {venue} instead, or stay at home.", "Why is there no {r_what} on {r_day}?", "r_who"),
        S("{r_what_cap} starts half an hour earlier until the holidays. {r_who} needs the bag packed before {r_clock} on {r_day}.", "Which change is there with {r_who}'s {r_what}?", "r_who"),
        S("When somebody says good night, turn off the lights in the {room} and the {room2}, lock the front door and set the heating to {lowdegrees}.", "What happens when we say good night?"),
        S("Morning routine on school days: lights in the {room} at {early}, the news at low volume, then a reminder for {kid}'s lunch box.", "What is {kid} reminded of on school mornings?"),
        S("On {day}s the paper bin goes out, every second {day} the yellow one. {who} does it, in the holidays {neighbour}.", "Who puts the bins out in the holidays?|On which day does the paper bin go out?"),
        S("If nobody is in the {room} for {minutes} minutes, switch the lamp off, but never while {gran} is visiting.", "When should the lamp in the {room} stay on?"),
        S("{who} wants the forecast and the trains to {city} read out at {early}, but only from Monday to Thursday.", "What should be read out to {who} in the morning?"),
        S("Every first {day} of the month: check the smoke alarms, water the cactus, pay {bill}. {who} and {other} take turns.", "What has to be done every first {day} of the month?"),
        S("{kid} may have {minutes} minutes of {show} after homework, and none at all on {r_day} because of {r_what}.", "How long may {kid} watch {show}?"),
    )),
    "preference": Topic("preference", 9, (
        S("{who} likes {his} {drink} without sugar, in the big cup with the chip, and never after four.", "How does {who} take the {drink}?", "who"),
        S("{kid} does not eat {food} any more, not even hidden in {dish}. {food2} is fine as long as it is cut small.", "What does {kid} refuse to eat?", "kid"),
        S("For dinner guests play {music}, not too loud. {who} finds anything with singing distracting at the table.", "Which music should play when guests come?", "who"),
        S("{who} prefers the window seat facing forwards, and a train that leaves after {clock}. {other} does not mind.", "Where does {who} like to sit on the train?", "who"),
        S("Keep the {room} at {indoor} during the day; {other} gets headaches when it is warmer, {gran} wants it at {indoor2}.", "How warm should the {room} be?"),
        S("{gran} would rather be rung up than get messages, best between {clock} and {clock2}, and never during {show}.", "When is a good time to ring {gran}?", "gran"),
        S("{who} reads on paper, hates spoilers, and gives up on a book after {number} pages. {book} is the exception.", "Which book is {who}'s exception?", "who"),
        S("No {material} for {who}, please: {he} cannot stand the sound of it. {colour_cap} is fine, anything but shiny.", "What can {who} not stand the sound of?", "who"),
        S("{kid}'s favourite pyjamas are the {colour} ones; without them bedtime takes {minutes} minutes longer.", "Which pyjamas does {kid} want?", "kid"),
        S("{who} takes the aisle, {other} the window, {kid} in between with the tablet. That has worked on every flight so far.", "How do we sit on a plane?"),
        S("When {who} says the usual, it is {dish} with extra {food} from {restaurant}, and a {drink}.", "What is {who}'s usual?", "who"),
        S("{other} wants to be called by {his2} full name by the speaker, {kid} wants to be called captain until further notice.", "What does {kid} want to be called?"),
    )),
    "health": Topic("fact", 3, (
        S("{kid} is allergic to {allergen}. The pen is in the {colour} pouch in the hall, the second one at school with {teacher}.", "What is {kid} allergic to?|Where is the second allergy pen?", "kid"),
        S("{who} takes {medicine} at {early}, one tablet, never together with {food}. The prescription is renewed in {month}.", "When does {who} take {medicine}?", "who"),
        S("{gran}'s blood group is on the card in {his_g} purse, next to the number of {doctor}: {phone}.", "Where is {gran}'s blood group written down?", "gran"),
        S("After the operation {who} may not lift anything over {n} kilos until {date}. {other} carries the shopping.", "Until when may {who} not lift anything heavy?", "who"),
        S("In an emergency ring {neighbour} first, {phone}; {he_n} has a key and is at home most evenings.", "Whom do we ring in an emergency?"),
    ), 0.85),
    "ailment": Topic("episode", 5, (
        S("{kid} stayed at home with {symptom}. {doctor} says it is nothing to worry about, back to school on {day}.", "When can {kid} go back to school?|What did {doctor} say about {kid}?", "kid"),
        S("{who} has had {symptom} since {day}. Tried {medicine}, did not help much; a hot bath did.", "What helped {who} against {symptom}?", "who"),
        S("{kid} measured {number} kilos... no, {khe} misread it: it was {lownumber}. Grown {n} centimetres since {month} too.", "How much has {kid} grown?", "kid"),
        S("Picked up {medicine} for {gran}, {price}, the receipt is for the insurance. Next pack in {n} weeks.", "How much was {medicine} for {gran}?", "gran"),
        S("{who} slept badly again, third night. {He} blames the {drink} and the full moon, {other} blames the phone.", "Why does {other} think {who} sleeps badly?", "who"),
        S("{pet} threw up twice on the carpet in the {room}. The vet says: rice and chicken for {n} days and no {food}.", "What should {pet} eat while {pet} is ill?", "pet"),
        S("{kid} lost a tooth during {subject}. It is in a matchbox; the tooth fairy is expected to pay {coin}.", "Where is {kid}'s tooth?", "kid"),
    )),
    "family": Topic("episode", 8, (
        S("{gran} told the story of how {he_g} crossed to {city} by ferry in {year} with one suitcase and {number} in {his_g} shoe.", "How did {gran} get to {city}?", "gran"),
        S("{kid} can ride without training wheels since {day}: the whole length of {street}, {who} running behind.", "When did {kid} learn to ride a bike?", "kid"),
        S("{who} and {other} had a row about the {room}. Settled: it will be {colour}, and {other} chooses the curtains.", "Which colour will the {room} be?"),
        S("{friend} and {friend2} are expecting a baby in {month}. {who} was told first and is not supposed to know yet.", "When is {friend}'s baby due?", "friend"),
        S("{kid} said at dinner that {khe} wants to become either a vet or the person who names paint colours.", "What does {kid} want to become?", "kid"),
        S("{gran} moves into the flat at {street} {number} on {date}. {who} rents the van, {friend} and {neighbour} carry.", "When does {gran} move?|Who helps {gran} carry?", "gran"),
        S("Family photo on {day} after lunch at {venue}: everybody in something {colour}, said {other}, even {pet}.", "What should we wear for the family photo?"),
        S("{who} found {his} old diary {spot}. In it: {city}, the summer of {year}, and a recipe for {dish}.", "What did {who} find in the old diary?", "who"),
        S("{kid} is afraid of the cellar since the film night, so leave the light in the {room} on until {khe} is asleep.", "Why do we leave the light in the {room} on?", "kid"),
        S("{who} was {feeling} all day and only told us at night: {his} friend {friend} is moving to {city} for good.", "Where is {friend} moving?", "friend"),
        S("Cousin {friend}'s {occasion} will be at {venue} on {date}. {number} guests, no speeches, {who} brings {dish}.", "What does {who} bring to {friend}'s {occasion}?", "friend"),
        S("{kid} and {friend}'s daughter dug a pond in the sandpit; the {colour} towels are ruined, both were {feeling}.", "How were the {colour} towels ruined?", "kid"),
    )),
    "birthday": Topic("fact", 4, (
        S("{who}'s birthday is on {birthday}. {He} said no party, but {dish} and the good plates would be all right.", "When is {who}'s birthday?", "who"),
        S("Gift idea for {who}: {gift}. {friend} saw {him} looking at one in {city}, it costs about {price}.", "What could we give {who}?", "who"),
        S("{kid} wishes for {gift} and {dessert} with sprinkles. {n2} friends are invited, {friend}'s son cannot eat {food}.", "What does {kid} wish for?", "kid"),
        S("Ordered {gift} for {gran}, number {code}, arrives by {date}. Hidden {spot} until then.", "Where is the present for {gran} hidden?|What is the order number of {gran}'s present?", "gran"),
        S("{other} put {price} into the envelope for {colleague}'s {occasion}; the card still has to be signed by {who}.", "How much did we give for {colleague}'s {occasion}?", "colleague"),
        S("Thank-you card to {neighbour} for the {dessert} and for feeding {pet} from {date} to {date2}.", "For what do we thank {neighbour}?", "neighbour"),
    )),
    "school": Topic("episode", 7, (
        S("{kid} has to hand in {project} for {subject} by {date}. {who} helps with the glue, not with the ideas.", "When is {kid}'s homework for {subject} due?|What does {kid} have to hand in for {subject}?", "kid"),
        S("{teacher} wrote: {kid} forgot the {subject} book three times. It was {spot} all along.", "Where was {kid}'s {subject} book?", "kid"),
        S("School trip to {city} on {date}: packed lunch, rain jacket, {price} in an envelope, back at {clock}.", "What does the school trip to {city} cost?", "kid"),
        S("{kid} got a {grade} in {subject} and is {feeling} about it. {teacher} offers extra lessons on {day}s at {clock}.", "When does {teacher} give extra lessons?", "kid"),
        S("New teacher for {subject}: {teacher}. {kid} says {he_t} is strict about margins and tells good jokes about {food}.", "What does {kid} say about {teacher}?", "teacher"),
        S("The consent form for {venue} has to be signed by {day}. {who} signs, it lies on the fridge under the magnet from {city}.", "Where is the consent form?", "kid"),
        S("{kid} needs {cloth} in size {size} with {khis} name inside, {colour} if possible, before {day}.", "In which size does {kid} need {cloth}?", "kid"),
        S("In the school play {kid} is the second tree from the left. Performance on {date} at {clock}, {venue}, {n} tickets.", "Which part has {kid} in the school play?", "kid"),
        S("{kid} learned the {n2} times table by heart and recites it to {pet} every evening.", "To whom does {kid} recite the times table?", "kid"),
    )),
    "home": Topic("fact", 9, (
        S("The {device} {trouble}. It is a {model}; the plumber wants {price} just to have a look.", "Which model is the {device}?|What is wrong with the {device}?", "device"),
        S("{who} put the {thing} {spot}, so that {kid} does not find it again.", "Where is the {thing}?|Where did {who} put the {thing}?", "thing"),
        S("The {thing} is on loan to {neighbour} until {day}, {he_n} returns it with a jar of something, as always.", "Who has our {thing}?", "thing"),
        S("Wall colour in the {room}: {colour}, mixing code {code}, bought at the paint shop. {n} litres were just enough.", "What is the mixing code of the paint in the {room}?"),
        S("Meter readings on {past}: electricity {reading}, water {big} cubic metres, gas {reading2}. Sent by {who}.", "What did the electricity meter say on {past}?"),
        S("The filter of the {device} was changed on {past}; the next change is due in {n} months, part number {code}.", "When was the filter of the {device} changed?", "device"),
        S("Warranty for the {device} runs until {month} {nextyear}. The receipt is in the folder, {price} with delivery.", "How long does the warranty of the {device} run?", "device"),
        S("{neighbour} complained about the noise of the {device} after ten. From now on it only runs until {clock2}.", "Why does the {device} only run until {clock2}?", "neighbour"),
        S("There is a draught in the {room} when the wind comes from the west; {who} put a rolled-up towel against the door for now.", "What did {who} do about the draught?"),
        S("The plumber comes back on {day} between {clock} and {clock2} with the part for the {device}. Deposit paid: {price}.", "When does the plumber come back?", "device"),
        S("Somebody has to bleed the radiator in the {room}. The little key is {spot}, {who} knows how it goes.", "Where is the key for the radiator?"),
        S("New shelf in the {room}: {wood}, {big} centimetres long, {who} drilled into a pipe and {other} found the tap in time.", "What happened when {who} put up the shelf?"),
    )),
    "secret": Topic("fact", 2, (
        S("The guest network is called {name}-guests, the password is {food_plain}{big}{pet}. Change it after {month}.", "What is the password of the guest network?"),
        S("Code for the key safe at {street} {number}: {pin}. Only {neighbour} and {gran} know it apart from us.", "What is the code of the key safe?"),
        S("The alarm is switched off with {pin2}, then star. {who} gets a message when somebody does it wrong twice.", "How do we switch off the alarm?"),
        S("Frame number of {kid}'s bike: {code}. It is insured for {sum}, the policy is in the folder with the {colour} back.", "What is the frame number of {kid}'s bike?", "kid"),
        S("Policy number of the house insurance: {code}-{big}. Hotline {phone}, they ask for {other}'s date of birth.", "What is our policy number?"),
    ), 0.9),
    "car": Topic("episode", 4, (
        S("{car_cap} needs new tyres before {month}; the garage in {street} wants {sum} with fitting, {friend} knows one for less.", "How much are the new tyres?", "car"),
        S("Parked {car} at level {n}, row {letter}, by the lift. The ticket is in {who}'s jacket.", "Where did we park {car}?", "car"),
        S("{car_cap} is in the workshop until {day}. {who} takes the bus, line {n}, {clock} from {street}.", "How does {who} get to work while {car} is away?", "car"),
        S("Mileage at the inspection: {reading}. Next one in {month} {nextyear}; the left wiper and the {colour} scratch were not mentioned.", "When is the next inspection of {car}?", "car"),
        S("{who} got a ticket for {price} in {city}: {n} minutes over at the harbour. It has to be paid by {date}.", "For what did {who} get a ticket?", "who"),
        S("The child seat is too small for {kid} now. {friend} gives us theirs, {who} fetches it on {day} in {city}.", "Who gives us a child seat?", "kid"),
    )),
    "travel": Topic("fact", 6, (
        S("Train to {city} on {date}: {clock} from platform {n}, coach {number}, seats {number2} and {number3}. Booking {code}.", "Which platform does the train to {city} leave from?|What is the booking code for {city}?"),
        S("The flat in {city} is booked from {date} to {date2}, {sum} for {n} nights, check-in after {clock}, key with the neighbour.", "When do we have the flat in {city}?"),
        S("{who} flies to {city} on {day}, {flight} at {clock}, hand luggage only. {other} takes {him} to the airport.", "Who takes {who} to the airport?|Which flight does {who} take to {city}?", "who"),
        S("For the summer {who} wants the mountains, {other} the sea; {kid} wants a hotel with a lift. We decide by {date}.", "What does {kid} want from the summer holiday?"),
        S("Passport of {kid} runs out in {month}. Appointment at {venue} needs a photo, {price} and both parents' signatures.", "When does {kid}'s passport run out?", "kid"),
        S("In {city} we liked the little museum and the {dish} at the corner of {street}. Do not go back to the hotel, it was damp.", "What did we like in {city}?"),
        S("Packing list for {city}: {thing}, {thing2}, {medicine}, the {colour} bag, adapters. Last time we forgot the {thing3}.", "What did we forget to pack last time?"),
        S("{friend} lets us stay at {his_f} place in {city} from {date} on. The key is {spot}, the cat is called {petname}.", "Where is the key to {friend}'s place?", "friend"),
        S("The ferry leaves at {clock} sharp, and they close the gate {minutes} minutes before. {who} has the tickets, {code}.", "When does the ferry's gate close?"),
    )),
    "money": Topic("fact", 5, (
        S("{bill_cap}: {price} instead of {price2}, due on {date}. {who} thinks they have mixed us up with number {number}.", "When is the bill for {bill} due?"),
        S("{who} lent {friend} {sum} for the deposit in {city}; it comes back in {n} instalments, starting in {month}.", "How much did {who} lend {friend}?", "friend"),
        S("Cancel {subscription} before {date}, or it renews for a year at {price}. {other} has the customer number {code}.", "Until when can we cancel {subscription}?"),
        S("Pocket money for {kid} goes up to {coin} a week from {month} on, if the {room} is tidy on {day}.", "How much pocket money does {kid} get?", "kid"),
        S("We put {price} a month aside for {gift} from now on. After {month} there should be {sum}.", "What are we saving for?"),
        S("The tax papers went to the accountant on {past}. Missing: the receipt for the {device} and {other}'s travel costs.", "What is missing from the tax papers?"),
        S("{friend} owes us {price} for the tickets, and we owe {friend2} {price2} for the {dish} evening.", "What do we owe {friend2}?", "friend2"),
    )),
    "work": Topic("episode", 6, (
        S("{who} is buried in {work} until {date} and asks not to be disturbed between {clock} and {clock2}.", "Until when is {who} busy with {work}?", "who"),
        S("{colleague} leaves in {month}. {who} may get {his_c} office, the one with the window to {street}.", "Whose office may {who} get?", "colleague"),
        S("{who}'s talk on {work} was moved to {day} at {clock}; {colleague} opens, {who} has {minutes} minutes.", "How long is {who}'s talk?", "who"),
        S("{who} works from home on {day}s from now on, so no drum practice and no {device} before {clock}.", "On which day does {who} work from home?", "who"),
        S("{other} got the contract for {work}: {sum} before tax, starts in {month}. {He2} is {feeling} and {feeling2} at once.", "When does {other}'s contract start?", "other"),
        S("{who}'s new number at work is {phone}, {colleague} answers when {he} is away.", "What is {who}'s number at work?", "who"),
        S("{colleague} is allergic to small talk before ten, says {who}, and brings {dessert} whenever {work} goes wrong.", "What does {colleague} bring when things go wrong?", "colleague"),
        S("Lunch with {colleague} on {day} at {restaurant}, {clock}. {who} wants to ask about {work}, carefully.", "Where does {who} meet {colleague} for lunch?", "colleague"),
    )),
    "cooking": Topic("episode", 6, (
        S("The {dish} came out better with {food} instead of {food2}, and with {minutes} minutes more. {who} had three helpings.", "What made the {dish} better?"),
        S("{gran}'s recipe for {dish}: {big} g of {food}, a little {food2}, {n} hours of patience, no {food3}, whatever {other} says.", "What goes into {gran}'s {dish}?", "gran"),
        S("{friend} and {friend2} come to dinner on {day} at {clock}. {friend} eats no meat, {friend2} no {food}.", "What does {friend2} not eat?", "friend2"),
        S("Meal plan: {day} {dish}, {day2} {dish2}, the rest of the week whatever {who} finds in the freezer.", "What is for dinner on {day}?"),
        S("The {dish} burned because the {device} {trouble}, so we ordered from {restaurant}, {price} with tip.", "Why did we order from {restaurant}?"),
        S("There are {n} portions of {dish} in the freezer, dated {past}, and one without {food} for {kid}.", "What is in the freezer for {kid}?"),
        S("{who} wants to try the {dish} from {show} with {food} and {food2}; {kid} has already announced that {khe} will not.", "Which dish from {show} does {who} want to try?"),
    )),
    "garden": Topic("episode", 4, (
        S("{who} repotted {plant} on {past}, with the soil from the blue sack. Water every {n} days, not on the leaves.", "When did {who} repot {plant}?"),
        S("{plant_cap}: {n2} flowers on the first morning, and something is eating the leaves. {neighbour} swears by {food}.", "What does {neighbour} recommend for the plants?"),
        S("{neighbour} waters {plant} while we are in {city}, and may pick whatever is ripe.", "Who waters the plants while we are in {city}?", "neighbour"),
        S("Saw {bird} in the garden at {early}; {kid} wrote it down in the {colour} notebook, the {ordinal} this year.", "Which bird did we see in the garden?"),
        S("First frost expected on {day}: bring in {plant} and {plant2}, drain the tap behind the {room2}.", "What has to come in before the frost?"),
        S("The hedge has to be cut before {month}; {who} borrows the long shears from {neighbour}, {other} holds the ladder.", "From whom does {who} borrow the shears?"),
    )),
    "media": Topic("preference", 5, (
        S("{who} stopped at chapter {n} of {book}. Do not tell {him} how it ends, {other} already has read it.", "Where did {who} stop reading {book}?"),
        S("{who} and {other} watch {show} together, never alone. They are at season {n}, episode {n2}.", "At which episode are {who} and {other}?"),
        S("Play {music} when {kid} cannot sleep, volume {n}, and stop after {minutes} minutes.", "What should play when {kid} cannot sleep?", "kid"),
        S("{friend} recommends {book}: slow at first, then you miss your stop. {who} has ordered it at the bookshop, for {day}.", "What does {friend} recommend?", "friend"),
        S("{kid} wants {show} again, the episode with the storm. {who} has seen it {number} times by now.", "Which episode does {kid} always want?", "kid"),
        S("{book} is due back at the library on {date}; it lies {spot}. The fine is {coin} a day.", "When is {book} due back?"),
        S("The tickets for {venue} on {date} are in {who}'s mail, row {letter}, seats {number} and {number2}. Doors at {clock}.", "Where are our seats at {venue}?"),
    )),
    "sport": Topic("episode", 4, (
        S("{kid}'s team won {n} to {n2} in {sport}. {khe_cap} scored once and talked about it until {clock2}.", "How did {kid}'s team play?", "kid"),
        S("{who} ran {n} kilometres along {street} in {minutes} minutes, {his} best time since {year}.", "What is {who}'s best time?", "who"),
        S("{sport_cap} tournament in {city} on {date}, meet at {clock} at {venue}. {who} drives {n} children, {friend} the rest.", "Who drives to the tournament in {city}?"),
        S("{kid} needs {cloth}, size {size}, for {sport}; the old ones go to {friend}'s boy.", "Who gets {kid}'s old things for {sport}?", "kid"),
        S("{who} is giving up {r_what} after the summer and wants to try {hobby} with {friend} at {venue}.", "What does {who} want to try instead of {r_what}?", "who"),
        S("{other} twisted {his2} knee at {hobby}. No {sport} for {n} weeks, says {doctor}.", "What did {doctor} say about {other}'s knee?", "other"),
    )),
    "pet": Topic("fact", 4, (
        S("{pet} gets {big} g in the morning and half of that at night. Never {food}, whatever {kid} says.", "How much does {pet} eat?", "pet"),
        S("{pet} was chipped by {doctor}: number {reading}{big}. Registered on {who}'s name and {phone}.", "What is {pet}'s chip number?", "pet"),
        S("{neighbour} looks after {pet} from {date} to {date2}. Food is {spot}, the vet's number is on the fridge.", "Who looks after {pet}?", "pet"),
        S("{pet} hides {spot} whenever the {device} runs; only {food2} will bring {pet} out again.", "Where does {pet} hide?", "pet"),
        S("{pet} stole {kid}'s sandwich and half of the {dish}. {who} says it was the neighbours' {species}, nobody believes it.", "What did {pet} steal?", "pet"),
        S("Worming tablet for {pet} on {past}, hidden in {food}; next one in {n} months, {price} at the vet's.", "When did {pet} get the worming tablet?", "pet"),
    )),
    "neighbours": Topic("episode", 4, (
        S("{neighbour} took in a parcel for {who}. It is heavy, and {he_n} is only at home after {clock}.", "Who has {who}'s parcel?", "neighbour"),
        S("The street party is on {date} from {clock} on; we bring {dish} and the long bench, {neighbour} brings the grill.", "What do we bring to the street party?"),
        S("{street} is closed from {date} to {date2} because of the gas pipes. The bus stops at {venue} instead.", "Where does the bus stop while {street} is closed?"),
        S("{neighbour}'s son is looking for work in the holidays: mowing, dogs, computers. {price} an hour.", "Who is looking for holiday work?", "neighbour"),
        S("The flat above is let again, to a couple from {city} with a {instrument}. {who} has met them and is {feeling}.", "Who moved into the flat above?"),
        S("Residents' meeting on {day} at {clock} in {venue}: bicycles in the stairwell, the lift, and {bill}. {who} goes.", "What is the residents' meeting about?"),
    )),
    "decision": Topic("decision", 5, (
        S("Decided: no second car. We try the car club for {n} months, {price} a month, and look again in {month}.", "What did we decide about the second car?"),
        S("We will not renovate the {room} this year. The money goes into the {device} and into {city} in {month}.", "What happens with the {room} this year?"),
        S("{kid} changes to {hobby} after the holidays, as agreed with {teacher}. The old lessons end on {date}.", "What does {kid} change to after the holidays?", "kid"),
        S("{who} and {other} agreed: screens off at {clock2}, phones sleep in the {room}, exceptions only for {show}.", "When do the screens go off?"),
        S("From {month} on {who} cooks on {day} and {day2}, {other} on the other days, and {kid} lays the table without being asked.", "On which days does {who} cook?"),
        S("We take the {colour} sofa from the second-hand shop, {sum}, delivery in {n} weeks. {other} was outvoted, but only just.", "Which sofa did we choose?"),
        S("Instead of presents we give {gran} a day in {city} with all of us, on {date}. {who} books, {kid} draws the voucher.", "What do we give {gran} instead of presents?", "gran"),
    )),
    "smalltalk": Topic("episode", 8, (
        S("{who} was stuck in the lift for {minutes} minutes with {colleague} and now knows everything about {his_c} divorce and {hobby}.", "With whom was {who} stuck in the lift?", "colleague"),
        S("On the way back from {city} we stopped at a tiny cafe with a {wood} counter; {other} wants to live there. Best {dish} in years.", "Where was the cafe with the {wood} counter?"),
        S("{kid} asked why the moon follows {car}. {who} did not have a good answer, {gran} did, but it was not true.", "What did {kid} ask about the moon?", "kid"),
        S("{friend} dreamt that {who} had opened a shop for {ware}. {who} says it would not be the worst idea of the year.", "What did {friend} dream?", "friend"),
        S("It rained so hard that the {room} floor was wet; {who} put out every bowl we have, and {kid} floated {khis} boats.", "What did {kid} do when it rained in?"),
        S("{who} met {teacher} at {shop}, both with {food} in the bag, and neither could remember the other's name.", "Whom did {who} meet at {shop}?", "teacher"),
        S("{who} said the smell of {food} reminds {him} of {city} and of {his} grandmother's {wood} table.", "What does the smell of {food} remind {who} of?", "who"),
        S("{friend} rang after {n} years, out of the blue, from {city}. {He_f} plays {instrument} now and asked about {kid}.", "Who rang after {n} years?", "friend"),
        S("We played {game} until {late}. {kid} won three times in a row and says it is skill; {other} wants a rematch on {day}.", "Who won at {game}?"),
        S("{who} has decided to learn the names of all the trees in {street}. So far: {n}, and one that is probably a shrub.", "What does {who} want to learn?", "who"),
        S("{other} fell asleep in the middle of {show} and claims to have seen all of it. The {dish} was gone too.", "Who fell asleep during {show}?", "other"),
        S("Strange day: first the {device} {trouble}, then {bird} on the sill, then a letter from {city} with no sender.", "Where did the letter without a sender come from?"),
        S("{gran} thinks the winters were colder around {year}; {he_g} walked over the lake to {venue} with {number} others and a {species}.", "What does {gran} say about the winters?", "gran"),
        S("{kid} invented a word for the smell of {food} on a cold morning: {nonsense}. The whole family uses it by now.", "Which word did {kid} invent?", "kid"),
    )),
}
