"""The nouns. Inside a kind, the earlier ones are the more frequent. Two rows with one German word are homonyms: no place
in a sentence takes both kinds, so that the context always tells which is meant."""

from __future__ import annotations

from demotic.corpus.embedded.lexicon import Noun, pair, read_noun, rows

_TABLE = """
# people
der Mann, Männer                  | man, men            | person
die Frau, Frauen                  | woman, women        | person
der Leiter, Leiter                | manager             | person boss chief
der Lehrer, Lehrer                | teacher             | person
die Ärztin, Ärztinnen             | doctor              | person doctor
die Mutter, Mütter                | mother              | person
der Nachbar*, Nachbarn            | neighbor            | person
das Kind, Kinder                  | child, children     | person
die Chefin, Chefinnen             | boss                | person boss
der Gärtner, Gärtner              | gardener            | person staff
der Kunde*, Kunden                | customer            | person
die Köchin, Köchinnen             | cook                | person staff
der Junge*, Jungen                | boy                 | person
das Mädchen, Mädchen              | girl                | person
der Läufer, Läufer                | runner              | person athlete
der Student*, Studenten           | student             | person
die Richterin, Richterinnen       | judge               | person
der Polizist*, Polizisten         | police officer      | person
der Kellner, Kellner              | waiter              | person staff
der Patient*, Patienten           | patient             | person patient
die Journalistin, Journalistinnen | journalist          | person
der Maler, Maler                  | painter             | person
der Anwalt, Anwälte               | lawyer              | person
die Großmutter, Großmütter        | grandmother         | person
der König, Könige                 | king                | person
der Zeuge*, Zeugen                | witness             | person
die Tante, Tanten                 | aunt                | person
der Dieb, Diebe                   | thief, thieves      | person
der Tourist*, Touristen           | tourist             | person visitor
der Mechaniker, Mechaniker        | mechanic            | person staff
die Bürgermeisterin, Bürgermeisterinnen | mayor         | person boss
der Pianist*, Pianisten           | pianist             | person
die Schneiderin, Schneiderinnen   | tailor              | person
der Bauer*, Bauern                | farmer              | person
# animals
der Hund, Hunde                   | dog                 | animal
die Katze, Katzen                 | cat                 | animal
die Schlange, Schlangen           | snake               | animal
der Hahn, Hähne                   | rooster             | animal
das Pferd, Pferde                 | horse               | animal
der Strauß, Strauße               | ostrich             | animal
der Vogel, Vögel                  | bird                | animal
das Huhn, Hühner                  | chicken             | animal
# what one carries
der Koffer, Koffer                | suitcase            | luggage ware
die Tasche, Taschen               | bag                 | luggage ware
die Leiter, Leitern               | ladder              | luggage ladder
der Korb, Körbe                   | basket              | luggage ware
die Kiste, Kisten                 | box                 | luggage ware
der Eimer, Eimer                  | bucket              | luggage
der Sack, Säcke                   | sack                | luggage
das Paket, Pakete                 | package             | luggage mail
# what one wears
der Mantel, Mäntel                | coat                | clothes ware
der Hut, Hüte                     | hat                 | clothes ware
die Jacke, Jacken                 | jacket              | clothes ware
das Kleid, Kleider                | dress               | clothes ware
das Hemd, Hemden                  | shirt               | clothes ware
der Anzug, Anzüge                 | suit                | clothes ware
der Handschuh, Handschuhe         | glove               | clothes ware
der Schal, Schals                 | scarf, scarves      | clothes ware
# in the house
die Bank, Bänke                   | bench               | seat paintable furniture
der Stuhl, Stühle                 | chair               | seat paintable furniture ware
der Tisch, Tische                 | table               | furniture table ware
das Bett, Betten                  | bed                 | furniture ware
das Haus, Häuser                  | house               | home paintable
die Wohnung, Wohnungen            | apartment           | home
das Sofa, Sofas                   | sofa                | seat furniture ware
der Schrank, Schränke             | wardrobe            | furniture table ware
der Zaun, Zäune                   | fence               | paintable
die Tür, Türen                    | door                | door paintable
das Fenster, Fenster              | window              | door
das Tor, Tore                     | gate                | door paintable
die Decke, Decken                 | ceiling             | paintable
die Wand, Wände                   | wall                | paintable
die Decke, Decken                 | blanket             | cloth
der Vorhang, Vorhänge             | curtain             | cloth
das Handtuch, Handtücher          | towel               | cloth
der Läufer, Läufer                | rug                 | rug
der Teppich, Teppiche             | carpet              | rug ware
die Lampe, Lampen                 | lamp                | lamp ware
die Vase, Vasen                   | vase                | lamp ware
das Schloss, Schlösser            | lock                | lock
die Kette, Ketten                 | chain               | lock
die Birne, Birnen                 | bulb                | bulb
die Batterie, Batterien           | battery             | bulb
der Hahn, Hähne                   | tap                 | tap
die Mutter, Muttern               | nut                 | screw
die Schraube, Schrauben           | screw               | screw
die Maschine, Maschinen           | machine             | device
die Uhr, Uhren                    | clock               | device clock ware
das Radio, Radios                 | radio               | device ware
der Motor, Motoren                | engine              | device
der Schlüssel, Schlüssel          | key                 | key opener
der Griff, Griffe                 | handle              | key
das Messer, Messer                | knife, knives       | tool ware
der Hammer, Hämmer                | hammer              | tool ware
# food
die Birne, Birnen                 | pear                | fruit food
das Gericht, Gerichte             | dish                | meal food
der Apfel, Äpfel                  | apple               | fruit food
die Suppe, Suppen                 | soup                | meal food
der Kuchen, Kuchen                | cake                | meal food sweet
der Salat, Salate                 | salad               | meal food
das Ei, Eier                      | egg                 | food
die Kartoffel, Kartoffeln         | potato, potatoes    | fruit food
# vehicles, ways
der Zug, Züge                     | train               | transport
der Bus, Busse                    | bus                 | transport
das Auto, Autos                   | car                 | car ware
das Taxi, Taxis                   | taxi                | car
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
das Denkmal, Denkmäler            | monument            | sight
die Kapelle, Kapellen             | chapel              | sight
die Bank, Banken                  | bank                | company
die Firma, Firmen                 | company             | company
das Hotel, Hotels                 | hotel               | company
die Zeitung, Zeitungen            | newspaper           | company journal
das Gericht, Gerichte             | court               | authority
der Ausschuss, Ausschüsse         | committee           | authority
die Mannschaft, Mannschaften      | team                | team
der Chor, Chöre                   | choir               | team band
die Kapelle, Kapellen             | band                | band
der Platz, Plätze                 | square              | street
die Straße, Straßen               | street              | street
der Hof, Höfe                     | yard                | street
# texts
der Brief, Briefe                 | letter              | text art mail
das Buch, Bücher                  | book                | text ware
der Bericht, Berichte             | report              | text
der Roman, Romane                 | novel               | text art
der Artikel, Artikel              | article             | text article
das Gedicht, Gedichte             | poem                | text art
das Blatt, Blätter                | sheet               | paper
das Blatt, Blätter                | leaf, leaves        | flower
die Blume, Blumen                 | flower              | flower gift
der Strauß, Sträuße               | bouquet             | gift
das Geschenk, Geschenke           | present             | gift
die Karte, Karten                 | map                 | map
das Bild, Bilder                  | picture             | map
die Karte, Karten                 | ticket              | booking ticket
der Platz, Plätze                 | seat                | booking
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
die Rede, Reden                   | speech, speeches    | speech hard
der Vortrag, Vorträge             | lecture             | speech hard
der Vertrag, Verträge             | contract            | contract
der Termin, Termine               | appointment         | appointment event
die Reise, Reisen                 | trip                | appointment event
das Fest, Feste                   | festival            | event show
das Konzert, Konzerte             | concert             | event show
das Spiel, Spiele                 | game                | event game
das Gesetz, Gesetze               | law                 | law
die Regel, Regeln                 | rule                | law
der Preis, Preise                 | price               | price
die Miete, Mieten                 | rent                | price
der Preis, Preise                 | prize               | prize
die Medaille, Medaillen           | medal               | prize medal
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
Winter    = winter     | clothes
Hotel     = hotel      | room chief
Reise     = travel     | luggage
Schul     = school     | show exam text
Dorf      = village    | sight show band
Liebes    = love       | art song movie
Stadt     = city       | show map band
Geschäfts = business   | appointment
Apfel     = apple      | sweet
Arbeits   = work       | contract plan clothes
Museums   = museum     | chief
Zeitungs  = newspaper  | article
Auto      = car        | opener
Wand      = wall       | clock
Gold      = gold       | medal
"""

# Compounds whose translation has to be learnt as a whole.
_WHOLE_COMPOUNDS = """
die Haustür, Haustüren            | front door          | door paintable compound
der Stadtplan, Stadtpläne         | street map          | map compound
der Regenmantel, Regenmäntel      | raincoat            | clothes ware compound
die Armbanduhr, Armbanduhren      | watch, watches      | device ware compound
das Kinderzimmer, Kinderzimmer    | nursery             | paintable compound
der Kühlschrank, Kühlschränke     | refrigerator        | device ware compound
"""

NOUNS: tuple[Noun, ...] = tuple(read_noun(cells) for cells in rows(_TABLE + _WHOLE_COMPOUNDS))
MODIFIERS = tuple((pair(word), frozenset(heads.split())) for word, heads in rows(_MODIFIERS))

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
Otto | Otto
Herr Krause | Mr. Krause
Greta | Greta
""")
)

# Places with the prepositions they like: where one is, where one goes.
PLACES = tuple(
    (read_noun(cells[:2] + ["place"]), pair(cells[2]), pair(cells[3]))
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
Zürich | Zurich
""")
)
