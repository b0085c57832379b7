"""Material to learn: sentences of one form from wide lists of words, so that conditions differ in the treatment only.

1. *The baker hid the lantern in the attic*: who, did, what, where, one word each. Every sentence has the same number of
   words, so that no length helps one of them.
2. Each who is used once in an experiment unless the experiment repeats it; everything else is drawn from the seed.
"""

from __future__ import annotations

import random
from typing import NamedTuple

_WHO = (
    "baker sailor tailor gardener plumber surgeon florist jeweller potter barber fiddler juggler shepherd beekeeper "
    "cobbler glazier dentist pilot miner judge knight monk hermit duchess admiral nanny butler grocer postman "
    "ferryman lumberjack blacksmith carpenter mason weaver tinker hunter angler jockey boxer wrestler gymnast "
    "dancer poet novelist printer librarian teacher chemist geologist astronomer botanist surveyor architect "
    "sculptor painter drummer organist conductor clown acrobat magician soothsayer detective bailiff consul mayor "
    "senator viscount countess abbess friar rabbi vicar cantor midwife nurse optician vet farrier groom coachman "
    "chauffeur cyclist skater rower diver skier climber cook waiter brewer vintner cooper chandler cutler fletcher "
    "thatcher")
_WHAT = (
    "lantern compass violin kettle ledger anchor mirror ladder pillow candle hammer teapot basket helmet trumpet "
    "saddle blanket necklace telescope umbrella carpet wallet thimble lamp anvil rope barrel chalice dagger drum "
    "easel feather goblet hourglass inkwell jug kite lute mask needle oar parcel quilt rifle scarf tambourine urn "
    "vase whistle xylophone yoke zither abacus bracelet cushion dumbbell envelope flask globe harness icicle jacket "
    "key locket medal notebook ornament pendant quiver ribbon sickle tripod uniform veil wreath brooch crate doll "
    "eyeglass fan guitar hatchet ivory jigsaw kimono lever mallet napkin ointment puppet rattle sponge toolbox "
    "utensil valise wand bellows chisel doorknob earring funnel gavel")
_WHERE = (
    "attic cellar harbour orchard chapel tunnel meadow library stable tower bakery market quarry garden theatre "
    "station museum cabin canyon desert forest glacier hangar igloo jungle kitchen lagoon mansion nursery oasis "
    "palace quay reef shed temple union vault warehouse yard zoo alley barn castle den estuary factory gallery "
    "hospital inn jail kiosk lighthouse mill nook office pantry ranch school tavern underpass villa well arcade "
    "bridge clinic dock embassy fort grove hotel island junction kennel lodge marina nave observatory pier rectory "
    "sauna trench vineyard wharf workshop abbey bank crypt ditch farm gym hut lobby motel parlour ruin spa tent")
_DID = (
    "hid painted sold borrowed polished dropped repaired stole wrapped photographed weighed buried lost washed "
    "measured burned mended guarded carried found opened cleaned traded sketched forgot rented lifted moved broke "
    "drew")


class Sentence(NamedTuple):
    """One sentence to learn."""

    who: str
    did: str
    what: str
    where: str

    @property
    def text(self) -> str:
        """The sentence."""
        return f"The {self.who} {self.did} the {self.what} in the {self.where}."


class Materials:
    """Draws sentences.

    Args:
        seed: the same sentences for the same seed.
    """

    def __init__(self, seed: int) -> None:
        self._chance = random.Random(seed)
        self._left: dict[str, list[str]] = {}

    def sentence(self, who: str | None = None, where: str | None = None) -> Sentence:
        """A sentence about somebody and somewhere not used yet (or used again), and always about another what."""
        return Sentence(who or self._next(_WHO), self._next(_DID), self._next(_WHAT), where or self._next(_WHERE))

    def sentences(self, count: int) -> list[Sentence]:
        """Some sentences, each about somebody else, as far as the list of names reaches."""
        return [self.sentence() for _ in range(count)]

    def _next(self, words: str) -> str:
        left = self._left.setdefault(words, words.split())
        if not left:
            left += words.split()
        return left.pop(self._chance.randrange(len(left)))
