"""What the resolvers know about English words: closed classes, nouns, gender and number.

The nouns are those of the island, as a resolver with a good dictionary would have them. Who or what
they refer to is for the resolvers to find out.
"""

from __future__ import annotations


def _listed(words: str) -> frozenset[str]:
    return frozenset(words.split())


# pronoun: genders (m, f, n), numbers (s, p), person
PRONOUNS = {
    word: (genders, number, person)
    for words, genders, number, person in [
        ("he him his himself", "m", "s", 3),
        ("she her hers herself", "f", "s", 3),
        ("it its itself", "n", "s", 3),
        ("they them their theirs themselves", "mfn", "p", 3),
        ("i me my mine myself", "mf", "s", 1),
        ("we us our ours", "mf", "p", 1),
        ("you your yours", "mf", "sp", 2),
    ]
    for word in words.split()
}
POSSESSIVE = _listed("his her its their my our your")

DETERMINERS = _listed("a an the this that these those both two three four forty some")
DEFINITE = _listed("the this that these those both")
CLOSED = _listed("""
    and or but if when while because although until since as than so then for from with without of
    in on at by to into off over under about across around behind beside before after near above
    not no nobody somebody anybody who whom whose which what where why how also too even only never
    always again still however there here home is are was were be been am has have had do does did
    will would can could may must should cannot said says say asked told saw took gave found
""")
SPEECH = _listed("said says say asked told")

_MALE = "man boy father brother husband son uncle grandfather fisherman postman priest"
_FEMALE = "woman girl mother sister widow aunt grandmother daughter landlady nun"
_PERSON = """
    owner neighbour captain teacher vet cousin mayor conductor deputy guest constable thief farmer
    winner driver keeper stranger schoolmaster doctor opponent watchmaker helper partner pupil child
    loser elder successor secretary
"""
_PEOPLE = """
    children customers candidates owners crews crew pupils police engineers families readers sisters
    judges singers nephews brothers twins men people passengers members smugglers visitors
    neighbours choir
"""
_ANIMAL = "seal animal goat crow bird"
_THINGS = """
    sheep ducks gulls swallows birds hats boats beams cracks books words strings stairs steps nets
    lessons shoes things rocks shoulders hands feet flagstones buckles buttons coats tunes windows
    beans secrets patients
"""
_THING = """
    bakery oven money boat bread ferry loaf harbour school bay beach pier fee hall council meeting
    building storm roof sky church case garden inn room hedge hat chair cap footbridge mainland
    bank mill side river race oar finish lighthouse gallery rock library bus foundation route island
    service clock wheel cheese medal fair farm smell barn song quarrel top coat oil lamp light water
    ship fiddle sea doorstep head ribbon wrist name egg map counter paper flood village box window
    glass button key ring jar sill yard door letter cabin bell sand board pawn skin chest tower
    house accordion deck rudder stone quarry offer tunnel stove sandwich shoe rope book cover wall
    photograph picture safe radio telephone umbrella can patience thing queen wine
"""

# noun: genders, numbers
NOUNS = {
    word: (genders, number)
    for words, genders, number in [
        (_MALE, "m", "s"),
        (_FEMALE, "f", "s"),
        (_PERSON, "mf", "s"),
        (_PEOPLE, "mf", "p"),
        (_ANIMAL, "mfn", "s"),
        (_THINGS, "n", "p"),
        (_THING, "n", "s"),
    ]
    for word in words.split()
}

_MEN = "Tam Pim Osk Jon Sten Albert Walter Marten Kell Ruf Jory Sam Kai Mr. Constable"
_WOMEN = "Nell Hedda Ines Bryn Greta Amara Lena Ruth Edda Clara Ana Ida Mika Lotte Ms. Mrs."
_PLACES = "Hallsay Hale Bergen Lisbon Inn Ash Point Farm Foundation Merlin"
GENDERS = {
    word: genders
    for words, genders in [(_MEN, "m"), (_WOMEN, "f"), (_PLACES, "n")]
    for word in words.split()
}
TITLES = _listed("mr. ms. mrs. dr. captain mayor constable")
NOT_NAMES = _listed("""
    Monday Tuesday Wednesday Thursday Friday Sunday March May Easter English Norse Last Old Years
    I Listen
""")
