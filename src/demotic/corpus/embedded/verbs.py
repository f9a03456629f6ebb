"""The verbs, one row per sense, with what they ask for.

Rows with one German verb stand together, so that both senses are frequent: what the verb means depends on its object, its
preposition or its subject, near or far in the sentence.
"""

from __future__ import annotations

from demotic.corpus.embedded.lexicon import Frame, read_frame, rows

_TABLE = """
tragen, trägt, getragen        | carry                  | person | acc luggage
tragen, trägt, getragen        | wear, wore, worn       | person | acc clothes
warten                         | wait                   | person | auf+acc transport person = for | lasting
an-rufen, ruft, gerufen        | call                   | person | acc person company
sitzen, sitzt, gesessen        | sit, sat               | person animal | auf+dat seat = on | lasting
ziehen, zieht, gezogen         | pull                   | person animal | acc cart
ziehen, zieht, ist gezogen     | move                   | person | to city
kaufen                         | buy, bought            | person | acc ware ticket
auf-geben, gibt, gegeben       | give up, gave, given   | person | acc plan quest
auf-geben, gibt, gegeben       | mail                   | person | acc mail
besuchen                       | visit                  | person | acc person sight
streichen, streicht, gestrichen | paint                 | person | acc paintable
streichen, streicht, gestrichen | cancel                | person | acc appointment
schießen, schießt, geschossen  | score                  | athlete team | acc goal
essen, isst, gegessen          | eat, ate, eaten        | person | acc food
an-ziehen, zieht, gezogen      | put on, put            | person | acc clothes
an-ziehen, zieht, gezogen      | attract                | sight show | acc visitor | state plural
an-ziehen, zieht, gezogen      | tighten                | person | acc screw | nopassive
fahren, fährt, gefahren        | drive, drove, driven   | person | acc car
fahren, fährt, gefahren        | ride, rode, ridden     | person | acc bicycle
fahren, fährt, ist gefahren    | go, went, gone         | person | to city place
fahren, fährt, ist gefahren    | go, went, gone         | person | "mit dem Zug nach Hause = home by train"
fahren, fährt, ist gefahren    | go, went, gone         | person | "mit dem Bus zur Arbeit = to work by bus"
lesen, liest, gelesen          | read, read             | person | acc text journal
verlassen, verlässt, verlassen | leave, left            | person | acc sight home
sich verlassen, verlässt, verlassen | rely              | person | auf+acc person company = on | state
steigen, steigt, ist gestiegen | climb                  | person | auf+acc ladder = up
steigen, steigt, ist gestiegen | get, got               | person | in+acc transport = on
treffen, trifft, getroffen     | meet, met              | person | acc person
treffen, trifft, getroffen     | make, made             | person authority | acc decision
arbeiten                       | work                   | person | bei+dat company = for | lasting
arbeiten                       | work                   | person | an+dat text = on | lasting
halten, hält, gehalten         | give, gave, given      | person | acc speech
halten, hält, gehalten         | keep, kept             | person | acc promise
halten, hält, gehalten         | hold, held             | person | acc luggage
öffnen                         | open                   | person | acc door
schließen, schließt, geschlossen | close                | person | acc door
schließen, schließt, geschlossen | sign                 | person company | acc contract
ein-stellen                    | hire                   | boss company | acc staff
ein-stellen                    | adjust                 | person | acc device
aus-rollen                     | roll out               | person | acc rug
reservieren                    | reserve                | person | acc booking
verpassen                      | miss                   | person | acc transport | nopassive
entlassen, entlässt, entlassen | fire                   | boss company | acc staff
entlassen, entlässt, entlassen | discharge              | doctor | acc staff patient
überqueren                     | cross                  | person | acc street
suchen                         | look for               | person | acc animal luggage key tool | lasting
stehen, steht, gestanden       | stand, stood           | person | in+dat queue = in | lasting
stehen, steht, gestanden       | stand, stood           | person animal | vor+dat sight door = in front of | lasting
lösen                          | solve                  | person | acc problem
lösen                          | loosen                 | person | acc screw
führen                         | lead, led              | person | acc parade
führen                         | run, ran, run          | person | acc company
zeichnen                       | draw, drew, drawn      | person | acc map flower
wechseln                       | change                 | person | acc bulb
prüfen                         | check                  | person | acc lock bulb contract
denken, denkt, gedacht         | think, thought         | person | an+acc person appointment = of
stellen                        | ask                    | person | acc question
stellen                        | put, put               | person | acc lamp luggage; auf+acc table = on
bestehen, besteht, bestanden   | pass                   | person | acc exam
bestehen, besteht, bestanden   | insist                 | person | auf+dat contract price = on
folgen, folgt, ist gefolgt     | follow                 | person animal | dat person parade
auf-heben, hebt, gehoben       | pick up                | person | acc luggage flower
auf-heben, hebt, gehoben       | repeal                 | authority | acc law
vor-stellen                    | introduce              | person | acc person
sich3 vor-stellen              | imagine                | person | acc sight appointment | state
erinnern                       | remind                 | person | acc person; an+acc appointment promise = of
sich erinnern                  | remember               | person | an+acc person song = | state
aus-ziehen, zieht, gezogen     | take off, took, taken  | person | acc clothes
aus-ziehen, zieht, ist gezogen | move out               | person | aus+dat home = of
laufen, läuft, ist gelaufen    | walk                   | person | to place
laufen, läuft, ist gelaufen    | walk                   | person | "nach Hause = home"
laufen, läuft, ist gelaufen    | run, ran, run          | person animal | über+acc street = across
auf-nehmen, nimmt, genommen    | record                 | person band | acc song
auf-nehmen, nimmt, genommen    | take in, took, taken   | person | acc animal
sich freuen                    | look forward           | person | auf+acc event = to | state
sich freuen                    | be happy, was, been    | person | über+acc gift prize = about | state
schreiben, schreibt, geschrieben | write, wrote, written | person | acc text
sprechen, spricht, gesprochen  | talk                   | person | mit+dat person = to
sprechen, spricht, gesprochen  | talk                   | person | über+acc event problem = about
wohnen                         | live                   | person | at city | lasting
kochen                         | cook                   | person | acc meal
bestellen                      | order                  | person | acc meal
pflücken                       | pick                   | person | acc fruit flower
füttern                        | feed, fed              | person | acc animal
fangen, fängt, gefangen        | catch, caught          | person | acc animal
reparieren                     | repair                 | person | acc device bicycle lock
auf-brechen, bricht, gebrochen | break, broke, broken   | person | acc lock
zu-drehen                      | turn off               | person | acc tap
drehen                         | turn                   | person | acc key
drehen                         | shoot, shot            | person | acc movie
falten                         | fold                   | person | acc cloth paper
waschen, wäscht, gewaschen     | wash                   | person | acc cloth clothes car
aus-sagen                      | testify                | person | vor+dat authority = before
vertrauen                      | trust                  | person | dat person company authority | state nopassive
gewinnen, gewinnt, gewonnen    | win, won               | person team | acc prize game
bezahlen                       | pay, paid              | person | acc price
bezahlen                       | pay for, paid          | person | acc booking meal
machen                         | take, took, taken      | person | acc photo
geben, gibt, gegeben           | give, gave, given      | person | dat person; acc gift luggage fruit
schicken                       | send, sent             | person | dat person; acc mail gift
zeigen                         | show, showed, shown    | person | dat person; acc map sight photo
schenken                       | give, gave, given      | person | dat person; acc gift clothes
helfen, hilft, geholfen        | help                   | person | dat person | nopassive
danken                         | thank                  | person | dat person; für+acc gift = for | nopassive
bitten, bittet, gebeten        | ask                    | person | acc person; um+acc fruit gift = for
fragen                         | ask                    | person | acc person; nach+dat key price tool = about
warnen                         | warn                   | person | acc person; vor+dat animal = about
lachen                         | laugh                  | person | über+acc person mistake = at
hoffen                         | hope                   | person | auf+acc prize = for | lasting
achten                         | pay attention, paid    | person | auf+acc luggage animal = to
glauben                        | believe                | person | an+acc plan = in | state
teil-nehmen, nimmt, genommen   | take part, took, taken | person team | an+dat show game = in
ab-holen                       | pick up                | person | acc person mail
ein-laden, lädt, geladen       | invite                 | person | acc person; zu+dat event = to
an-feuern                      | cheer on               | person | acc athlete team
dirigieren                     | conduct                | person | acc band
zu-hören                       | listen                 | person | dat person band = to | nopassive
aus-steigen, steigt, ist gestiegen | get off, got       | person | aus+dat transport =
"""

FRAMES: tuple[Frame, ...] = tuple(read_frame(cells) for cells in rows(_TABLE))

# Verbs that take a clause: `dass` with a finite verb at its end, or an infinitive with `zu`. `future`: what is hoped or promised
# is yet to come.
THAT_FRAMES = tuple(
    read_frame(cells)
    for cells in rows("""
glauben                             | think, thought  | person |
sagen                               | say, said       | person |
wissen, weiß, gewusst               | know, knew, known | person | | state
hoffen                              | hope            | person | | future
erzählen                            | tell, told      | person | dat person
versprechen, verspricht, versprochen | promise        | person | dat person | future
""")
)
TO_FRAMES = tuple(
    read_frame(cells)
    for cells in rows("""
versuchen                           | try             | person |
beschließen, beschließt, beschlossen | decide         | person |
vergessen, vergisst, vergessen      | forget, forgot, forgotten | person |
versprechen, verspricht, versprochen | promise        | person | dat person
an-bieten, bietet, geboten          | offer           | person |
""")
)
