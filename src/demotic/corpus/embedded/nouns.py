"""The nouns. Inside a kind, the earlier ones are the more frequent.

Two rows with one German word are homonyms: no place in a sentence takes both kinds, so that the context always tells which
is meant.
"""

from __future__ import annotations

from demotic.corpus.embedded.lexicon import Noun, pair, read_noun, rows

_TABLE = """
# people
der Mann, Männer                  | man, men            | person adult
die Frau, Frauen                  | woman, women        | person adult
der Leiter, Leiter                | manager             | person adult boss chief
der Lehrer, Lehrer                | teacher             | person adult own
die Ärztin, Ärztinnen             | doctor              | person adult own doctor
die Mutter, Mütter                | mother              | person adult own
der Nachbar*, Nachbarn            | neighbor            | person adult own
das Kind, Kinder                  | child, children     | person child
die Chefin, Chefinnen             | boss                | person adult own boss
der Gärtner, Gärtner              | gardener            | person adult own staff
der Kunde*, Kunden                | customer            | person adult own
die Köchin, Köchinnen             | cook                | person adult own staff
der Junge*, Jungen                | boy                 | person child
das Mädchen, Mädchen              | girl                | person child
der Läufer, Läufer                | runner              | person adult athlete
der Student*, Studenten           | student             | person adult own
die Richterin, Richterinnen       | judge               | person adult
der Polizist*, Polizisten         | police officer      | person adult
der Kellner, Kellner              | waiter              | person adult staff
der Patient*, Patienten           | patient             | person adult own patient
die Journalistin, Journalistinnen | journalist          | person adult
der Maler, Maler                  | painter             | person adult
der Anwalt, Anwälte               | lawyer              | person adult own
die Großmutter, Großmütter        | grandmother         | person adult own
der König, Könige                 | king                | person adult
der Dieb, Diebe                   | thief, thieves      | person adult
der Tourist*, Touristen           | tourist             | person adult visitor
der Mechaniker, Mechaniker        | mechanic            | person adult own staff
der Bauer*, Bauern                | farmer              | person adult
# animals
der Hund, Hunde                   | dog                 | animal
die Katze, Katzen                 | cat                 | animal
die Schlange, Schlangen           | snake               | animal
der Hahn, Hähne                   | rooster             | animal
das Pferd, Pferde                 | horse               | animal
der Strauß, Strauße               | ostrich             | animal
der Vogel, Vögel                  | bird                | animal
# what one carries
der Koffer, Koffer                | suitcase            | luggage ware
die Tasche, Taschen               | bag                 | luggage ware
die Leiter, Leitern               | ladder              | luggage ladder
der Korb, Körbe                   | basket              | luggage ware
die Kiste, Kisten                 | box                 | luggage ware
der Eimer, Eimer                  | bucket              | luggage
das Paket, Pakete                 | package             | luggage mail
# what one wears
der Mantel, Mäntel                | coat                | clothes ware
der Hut, Hüte                     | hat                 | clothes ware
die Jacke, Jacken                 | jacket              | clothes ware
das Kleid, Kleider                | dress               | clothes ware
das Hemd, Hemden                  | shirt               | clothes ware
der Handschuh, Handschuhe         | glove               | clothes ware
# in the house
die Bank, Bänke                   | bench               | seat paintable furniture
die Decke, Decken                 | ceiling             | paintable
der Stuhl, Stühle                 | chair               | seat paintable furniture ware
der Tisch, Tische                 | table               | furniture table ware
das Bett, Betten                  | bed                 | furniture ware
das Haus, Häuser                  | house               | home paintable
die Wohnung, Wohnungen            | apartment           | home
das Sofa, Sofas                   | sofa                | seat furniture ware
der Schrank, Schränke             | cupboard            | furniture table ware
der Zaun, Zäune                   | fence               | paintable
das Tor, Tore                     | gate                | door paintable
die Tür, Türen                    | door                | door paintable
das Fenster, Fenster              | window              | door
die Wand, Wände                   | wall                | paintable
die Decke, Decken                 | blanket             | cloth
der Läufer, Läufer                | rug                 | rug
der Teppich, Teppiche             | carpet              | rug ware
die Lampe, Lampen                 | lamp                | lamp ware
das Schloss, Schlösser            | lock                | lock
die Birne, Birnen                 | bulb                | bulb
der Hahn, Hähne                   | tap                 | tap
die Schraube, Schrauben           | screw               | screw
die Mutter, Muttern               | nut                 | screw
die Maschine, Maschinen           | machine             | device
die Uhr, Uhren                    | clock               | device ware
das Radio, Radios                 | radio               | device ware
der Motor, Motoren                | engine              | device
der Schlüssel, Schlüssel          | key                 | key opener
das Messer, Messer                | knife, knives       | tool ware
# food
die Birne, Birnen                 | pear                | fruit food
das Gericht, Gerichte             | dish                | meal food
der Apfel, Äpfel                  | apple               | fruit food
die Suppe, Suppen                 | soup                | meal food
der Kuchen, Kuchen                | cake                | meal food sweet
der Salat, Salate                 | salad               | meal food
das Ei, Eier                      | egg                 | food
# vehicles, ways
der Zug, Züge                     | train               | transport
der Bus, Busse                    | bus                 | transport
das Auto, Autos                   | car                 | car ware
das Fahrrad, Fahrräder            | bicycle             | bicycle ware
der Wagen, Wagen                  | cart                | cart
der Schlitten, Schlitten          | sled                | cart
der Zug, Züge                     | procession          | parade
die Gruppe, Gruppen               | group               | parade
die Schlange, Schlangen           | line                | queue
die Reihe, Reihen                 | row                 | queue
# buildings, institutions
das Schloss, Schlösser            | castle              | sight
die Kirche, Kirchen               | church              | sight
der Turm, Türme                   | tower               | sight
die Brücke, Brücken               | bridge              | sight
die Kapelle, Kapellen             | chapel              | sight
die Bank, Banken                  | bank                | company
die Firma, Firmen                 | company             | company
das Hotel, Hotels                 | hotel               | company
die Zeitung, Zeitungen            | newspaper           | company journal
das Gericht, Gerichte             | court               | authority
die Mannschaft, Mannschaften      | team                | team
der Chor, Chöre                   | choir               | band
die Kapelle, Kapellen             | band                | band
der Platz, Plätze                 | square              | street
die Straße, Straßen               | street              | street
# texts
der Brief, Briefe                 | letter              | text art mail
das Buch, Bücher                  | book                | text ware
der Bericht, Berichte             | report              | text
der Roman, Romane                 | novel               | text art
das Gedicht, Gedichte             | poem                | text art
das Blatt, Blätter                | sheet               | paper
das Blatt, Blätter                | leaf, leaves        | flower
die Blume, Blumen                 | flower              | flower gift
der Strauß, Sträuße               | bouquet             | gift
das Geschenk, Geschenke           | present             | gift
die Karte, Karten                 | map                 | map
das Bild, Bilder                  | picture             | map
der Platz, Plätze                 | seat                | booking
die Karte, Karten                 | ticket              | booking ticket
das Zimmer, Zimmer                | room                | booking room
das Foto, Fotos                   | photo               | photo
# what one cannot touch
die Frage, Fragen                 | question            | question hard
der Plan, Pläne                   | plan                | plan
die Hoffnung, -                   | hope                | quest
die Suche, -                      | search              | quest
die Stelle, Stellen               | job                 | quest
das Problem, Probleme             | problem             | problem hard
das Rätsel, Rätsel                | riddle              | problem hard
die Aufgabe, Aufgaben             | task                | problem hard
die Prüfung, Prüfungen            | exam                | exam hard
die Entscheidung, Entscheidungen  | decision            | decision
das Versprechen, Versprechen      | promise             | promise
die Rede, Reden                   | speech, speeches    | speech
der Vortrag, Vorträge             | lecture             | speech
der Vertrag, Verträge             | contract            | contract
der Termin, Termine               | appointment         | appointment event
die Reise, Reisen                 | trip                | appointment event
das Fest, Feste                   | festival            | event show
das Konzert, Konzerte             | concert             | event show
das Spiel, Spiele                 | game                | event game
das Gesetz, Gesetze               | law                 | law
der Preis, Preise                 | price               | price
die Miete, -                      | rent                | price
der Preis, Preise                 | prize               | prize
das Tor, Tore                     | goal                | goal
das Lied, Lieder                  | song                | song
der Film, Filme                   | movie               | movie
der Fehler, Fehler                | mistake             | mistake
"""

# Compounds: a modifier, as it stands in the compound with its linking element, and the kinds of the heads it goes with.
# Their translations are compounds, too.
_MODIFIERS = """
Garten    = garden     | seat paintable
Küchen    = kitchen    | table lamp seat
Holz      = wooden     | seat table ladder door
Kinder    = children's | clothes bicycle text song
Hotel     = hotel      | room chief
Reise     = travel     | luggage
Schul     = school     | show exam text
Dorf      = village    | sight show band
Liebes    = love       | art song movie
Stadt     = city       | show map band
Geschäfts = business   | appointment
Auto      = car        | opener
"""

# Compounds whose translation has to be learnt as a whole.
_WHOLE_COMPOUNDS = """
die Haustür, Haustüren            | front door          | door paintable compound
der Stadtplan, Stadtpläne         | street map          | map compound
der Regenmantel, Regenmäntel      | raincoat            | clothes ware compound
der Kühlschrank, Kühlschränke     | refrigerator        | device ware compound
"""

NOUNS: tuple[Noun, ...] = tuple(read_noun(cells) for cells in rows(_TABLE + _WHOLE_COMPOUNDS))
MODIFIERS = tuple((pair(word), frozenset(heads.split())) for word, heads in rows(_MODIFIERS))

# With a possessive these two are spouses.
_WIFE, _HUSBAND = (
    read_noun(cells)
    for cells in rows("""
die Frau, Frauen | wife, wives | person
der Mann, Männer | husband     | person
""")
)
SPOUSES = {"his": _WIFE, "my": _WIFE, "her": _HUSBAND}

NAMES = tuple(
    pair(" = ".join(row))
    for row in rows("""
Anna | Anna
Peter | Peter
Maria | Maria
Paul | Paul
Frau Schmidt | Ms. Schmidt
Herr Weber | Mr. Weber
Lena | Lena
Greta | Greta
""")
)

# Places with the prepositions they like: where one is, where one goes.
PLACES = tuple(
    (read_noun([*cells[:2], "place"]), pair(cells[2]), pair(cells[3]))
    for cells in rows("""
der Garten, Gärten      | garden    | in = in     | in+acc = into
der Bahnhof, Bahnhöfe   | station   | an = at     | zu+dat = to
die Küche, Küchen       | kitchen   | in = in     | in+acc = into
der Markt, Märkte       | market    | auf = at    | auf+acc = to
der Park, Parks         | park      | in = in     | in+acc = to
die Schule, Schulen     | school    | in = at     | in+acc = to
der Strand, Strände     | beach     | an = on     | an+acc = to
der Wald, Wälder        | forest    | in = in     | in+acc = into
der Fluss, Flüsse       | river     | an = by     | an+acc = to
das Büro, Büros         | office    | in = at     | in+acc = to
der Flughafen, Flughäfen | airport  | an = at     | zu+dat = to
das Museum, Museen      | museum    | in = at     | in+acc = to
das Dach, Dächer        | roof      | auf = on    | auf+acc = onto
das Krankenhaus, Krankenhäuser | hospital | in = at | in+acc = to
""")
)

CITIES = tuple(
    pair(" = ".join(row))
    for row in rows("""
Berlin | Berlin
München | Munich
Hamburg | Hamburg
Wien | Vienna
Köln | Cologne
Leipzig | Leipzig
Nürnberg | Nuremberg
""")
)
