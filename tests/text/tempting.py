"""Sentences that tempt an abridgement to state something false, each with a schema that resembles it and with the words
that must survive. Written by hand, one a line: text | schema | what must be there in this form."""

from __future__ import annotations

from typing import NamedTuple


class Tempting(NamedTuple):
    text: str
    schema: str
    must: str


_ROLES_AND_WORDS = r"""
Anna hit Bob on Monday.|Bob hit Anna on Monday.|Anna hit Bob
Bob owes Anna 50 euros.|Anna owes Bob 50 euros.|Bob owes Anna 50
Dad drove Mum to the airport.|Mum drove Dad to the airport.|Dad drove Mum
The cat chased the dog.|The dog chased the cat.|The cat chased the dog
Anna stopped taking aspirin.|Anna is taking aspirin.|stopped taking
Anna is taking ibuprofen now.|Anna is taking aspirin now.|ibuprofen
She sold the house in Berlin.|She bought the house in Berlin.|sold
He forgot to lock the door.|He went to lock the door.|forgot
Tom is the former colleague of Eve.|Tom is the colleague of Eve.|former
My ex-wife called.|My wife called.|ex-wife
She nearly married Tom.|She married Tom.|nearly
The meeting was cancelled.|The meeting was confirmed.|cancelled
He denied that he took it.|He said that he took it.|denied
He failed to pay the rent.|He went to pay the rent.|failed
She refused to sign it.|She came to sign it.|refused
Alarm set for the morning in the kitchen.|Alarm set for the evening in the kitchen.|morning
Turn the lights off in the hall.|Turn the lights on in the hall.|off
The left knee hurts.|The right knee hurts.|left
He is unable to swim.|He is able to swim.|unable
It is unsafe to swim here.|It is safe to swim here.|unsafe
Fake news about Anna Meier.|News about Anna Meier.|Fake
Peter was promised a raise by Eve.|Eve was promised a raise by Peter.|Peter was promised a raise by Eve
I called the doctor for Mum.|I called Mum for the doctor.|the doctor for Mum
They told her the story.|They told her story.|her the story
I hate the dogs next door.|I hate dogs.|the dogs
I drive a Ford.|I met Ford.|a Ford
They took the place.|They took place.|took the place
He visited the prison.|He was in prison.|the prison
We keep a lamb.|We eat lamb.|a lamb
I met the writer and the director.|I met the writer and director.|the writer and the director
She has a black and a white dog.|She has a black and white dog.|a black and a white
"""

_NEGATIONS = r"""
Anna is not allergic to nuts.|Anna is allergic to nuts.|not allergic
I don't eat meat, I really don't.|I eat meat.|really don't
He can't come on Tuesday.|He can come on Tuesday.|can't
It's not really good.|It's really good.|not really good
It isn't really good, it's average.|It's really good.|isn't really good
I never really liked him.|I really liked him.|never really
Nobody I know is really happy.|Somebody is really happy.|Nobody I know is really happy
She is no longer very happy.|She is very happy.|no longer very happy
Nothing about it was really fun.|It was really fun.|Nothing about it was really fun
We are without really good tools.|We have really good tools.|without really good
It's really not good for you.|It's really good for you.|really not good
Neither of them is really helpful.|Both are really helpful.|really helpful
Well, no.|Well, yes.|Well, no
Well, not really.|Well, really.|Well, not really
Wow, no thanks.|Wow, thanks.|Wow, no
Oh no, I'm late.|Oh, I'm on time.|Oh no
No, please.|Yes, please.|No, please
Please don't call Anna.|Please call Anna.|Please don't
Please, not now.|Please, now.|Please, not
I also don't eat fish.|I also eat fish.|also don't
You're really so bad at saying no.|You're bad at saying yes.|no
It was really good. Not!|It was really good.|really good
It was really nice. Or not.|It was really nice.|really nice
It was really great. That's not true.|It was really great.|really great
I'm really happy. No, I'm not.|I'm really happy.|really happy
She's super excited. Never mind, she is tired.|She's super excited.|super excited
He hasn't really helped me.|He really helped me.|hasn't really
I wasn't also there.|I was also there.|wasn't also
Anna ISN'T really happy.|Anna is really happy.|ISN'T really happy
Ain't it so cool.|It is so cool.|so cool
dont call me, I really mean it.|call me, I really mean it.|really mean
It’s not very helpful.|It’s very helpful.|not very helpful
"""

_HEDGES_AND_CONDITIONS = r"""
Anna might move to Rome.|Anna will move to Rome.|might
If it's really bad, call the doctor.|It's really bad, call the doctor.|If it's really bad
When I'm really sad, I skip dinner.|I'm really sad, I skip dinner.|When I'm really sad
Unless it's really important, wait.|It's really important, wait.|Unless it's really important
Only call when she's very upset.|Call, she's very upset.|very upset
I almost really fell for it.|I really fell for it.|almost really
He's kind of tired.|He's tired.|kind of tired
I sort of like him.|I like him.|sort of
It's basically free.|It's free.|basically
It's pretty good.|It's good.|pretty good
It was quite good.|It was good.|quite good
It's like 30 minutes away.|It's 30 minutes away.|like 30
Maybe she's really happy now.|She's really happy now.|Maybe she's really happy
I think he's really sorry.|He's really sorry.|I think he's really
I doubt it's really important.|It's really important.|doubt it's really
Once I'm really happy, I'll quit.|I'm really happy, I'll quit.|Once I'm really happy
She acts as if she's really sad.|She acts, she's really sad.|as if she's really
It seems it was really awful.|It was really awful.|seems
It was only just enough.|It was enough.|only just
She came just in time.|She came in time.|just in time
He just left.|He left.|just left
I just want a salad.|I want a salad.|just
Apparently it's really nice there.|It's really nice there.|Apparently
They pretend it's so fun.|It's so fun.|pretend it's so fun
Suppose it's really bad, what then.|It's really bad, what then.|really bad
In case it's bad, it's really important to call.|It's bad, it's really important to call.|In case
I wish it was really great.|It was really great.|wish it was really
It's really good as long as it lasts, unless it rains.|It's really good as long as it lasts.|really good
Let's say, it's really bad, then we leave.|It's really bad, then we leave.|really bad
I really should stop smoking.|I stopped smoking.|really should stop
I definitely might come.|I definitely come.|definitely might
We really could lose the house.|We lost the house.|really could
I really hardly know him.|I really know him.|really hardly
Anna could be allergic to milk.|Anna is allergic to milk.|could be
Before I knew that he left, I called.|I knew that he left, I called.|that he left
After she heard that he cried.|She heard that he cried.|heard that he
"""

_QUANTIFIERS_AND_NUMBERS = r"""
A few people came.|Few people came.|A few
She has a little money.|She has little money.|a little
Few people came.|A few people came.|Few people
Everyone who is really lucky wins.|Everyone wins.|Everyone who is really lucky
All the really good ones were sold.|All the good ones were sold.|All the really good ones
Each of them is really special.|One of them is special.|really special
Most days it's really boring.|It's really boring.|Most days it's really boring
It's really good for at least a week.|It's good for a week.|at least a week
He took 5 mg, it's really important.|He took 50 mg.|5 mg
I also have 3 cats.|I have 4 cats.|3 cats
Wow, 3 goals!|Wow, goals!|Wow, 3
It also costs $5.50 a day.|It also costs $50 a day.|costs $5.50 a day
We ran a good 5 km.|We ran 5 km.|a good 5 km
We really only need two.|We need two.|really only need two
They really lost both keys.|They lost one key.|both
I really want any of them.|I really want one of them.|any
That's one really nice cat.|That's a nice cat.|one really nice
Half of it was really awful.|It was really awful.|really awful
The room is 20 m wide, it's so cool.|The room is 2 m wide.|20 m
She has at most two really good friends.|She has two good friends.|really good friends
More than ten were really helpful.|Ten were helpful.|really helpful
He's taller than really tall people.|He's taller than tall people.|really tall
It is twice as bad.|It is bad.|twice as
Version 1.2.3 is really great.|Version 1.2.4 is great.|1.2.3
I'm really excited about May 5.|I'm really excited about May 15.|May 5
Her grade was very good.|Her grade was good.|very good
The book is in very good condition.|The book is in good condition.|very good
On a scale it's very bad.|On a scale it's bad.|very bad
The pain was really bad.|The pain was bad.|really bad
"""

_RESULTS_AND_READINGS = r"""
I was so happy I cried.|I was happy I cried.|so happy I cried
It was so bad that the shop closed.|It was bad that the shop closed.|so bad that
He was so sad he couldn't sleep.|He was sad.|so sad he
She's so good she got the job.|She's good, she got the job.|so good she
It was so bad people left.|It was bad people left.|so bad people
She was so happy about news people cried.|She was happy about news people cried.|so happy about news people
It was such a nice day we left early.|It was a nice day we left early.|such a nice day we
It was such a bad storm that we stayed in.|It was a bad storm that we stayed in.|such a bad storm that
She did it so that he could sleep.|She did it that he could sleep.|so that
It is as well as new, so good as gold.|It is new, good as gold.|so good as
You're so kind of late.|You're late.|kind of
It's so kind of you.|It's kind of you.|so kind
The glass that broke was mine.|The glass broke.|that broke
I know that. He left.|I know he left.|that.
Before that I worked in Rome.|Before I worked in Rome.|Before that I
I know that man.|I know man.|that man
He knew that you and I left.|He knew you and I left.|that you and I
I heard that it and the dog are well.|I heard it and the dog are well.|that it
So am I.|I am.|So am I
So do they, really.|They do, really.|So do they
So it goes.|It goes.|So it goes
It rained. So, I stayed.|It rained. I stayed.|So, I stayed
He's 40. Well, he's 41.|He's 40. He's 41.|Well, he's
I work at IBM. Actually, I work at HP.|I work at IBM. I work at HP.|Actually
It's at 5. It's actually at 6.|It's at 5. It's at 6.|actually
I met Anna, I mean Hanna.|I met Anna, Hanna.|I mean Hanna
Rather than that, I'd really stay.|That, I'd really stay.|Rather than that
The very same man came.|The man came.|very same
People who are really lucky win twice.|People win twice.|who are really lucky
Dogs that are really sad bite.|Dogs bite.|that are really sad
What I really want is a dog.|I really want a dog.|What I really want
The thing he and I really want is peace.|I really want peace.|I really want
Really good dogs bite less.|Good dogs bite less.|Really good dogs
I like really old films.|I like old films.|really old
She avoids very spicy food.|She avoids spicy food.|very spicy
Very young children cannot swim.|Young children cannot swim.|Very young
It was very old.|It was old.|very old
It's very hot.|It's hot.|very hot
He's so good-looking.|He's looking.|so good-looking
It's such fun.|It's fun.|such fun
Our requirement is really good French.|Our requirement is good French.|really good French
It's really good French that we require.|It's good French that we require.|really good French
It's a really good cook that we need.|It's a good cook that we need.|a really good cook that
It's a really good cook we need.|It's a good cook we need.|a really good cook we
The best is really good coffee.|The best is good coffee.|really good coffee
It's a really good hour from Rome.|It's a good hour from Rome.|really good hour
We ran a really good 5 km.|We ran a good 5 km.|a really good 5 km
What is really nice is the food.|What is nice is the food.|really nice
My goal is really understanding him.|My goal is understanding him.|really understanding
The wine must be really good.|The wine is good.|must be really good
Yay, nay, yay were the votes.|Nay, yay were the votes.|Yay, nay, yay
"""

_QUESTIONS = r"""
Is it really good? No.|It is really good. No.|really good
Was it very helpful? Not at all.|It was helpful.|very helpful
You're really happy? Good.|You're really happy. Good.|really happy
That was so nice, wasn't it?|That was nice.|so nice
Do you also smoke? No.|You also smoke. No.|also smoke
Q: it's really sad? A: no.|It's really sad.|really sad
Wow, is that really so?|That is really so.|really so
Did you know that he left?|You knew that he left.|that he left
"""

_OTHERS_WORDS = r"""
She said "I'm really sad" to Tom.|She said I'm sad to Tom.|"I'm really sad"
He whispered “it’s so nice” and left.|He whispered it's nice.|“it’s so nice”
The note says 'I'm so sorry' in red.|The note says I'm sorry.|'I'm so sorry'
He wrote «it's really good» on it.|He wrote it's good.|«it's really good»
He wrote: I'm so sorry.|He wrote: I'm sorry.|so sorry
Her words: it's really good, it's awful.|It's good.|really good
The password is It's so nice.|The password is nice.|It's so nice
Her song is I'm so happy.|Her song is happy.|I'm so happy
You really got me is a song by The Kinks.|You got me.|You really got me
"It's really great. The end of a quote that never closes|It's great.|really great
Hey Jude, Yesterday and Help are her favourites.|Jude and Help are her favourites.|Hey Jude
Oh, the places you'll go was a gift from Tom.|The places you'll go.|Oh, the places
Kind of Blue is on the shelf.|Blue is on the shelf.|Kind of Blue
The Who played in Leeds.|Who played in Leeds.|The Who
We moved to the US with them.|They moved to us.|the US
Wow, said Anna.|Said Anna.|Wow, said
Wow, Anna said.|Anna said.|Wow, Anna said
Well is the town where Anna lives.|The town where Anna lives.|Well is
So, Min-ji called.|Min-ji called.|So, Min-ji
Oh, Sandra left.|Sandra left.|Oh, Sandra
Hi Fi, TV and bike were stolen.|TV and bike were stolen.|Hi Fi
Very is a village in France, Anna says.|A village in France.|Very is
It was really great. Just kidding.|It was really great.|really great
Sarcasm aside, it was really great.|It was really great.|really great
It's really great to wait for 3 hours, ironically.|It's great to wait.|really great
In my dream, I was so happy.|I was so happy.|so happy
He lied, he's really sad.|He's really sad.|really sad
Please yourself.|Yourself.|Please yourself
Please her parents, Anna said.|Her parents.|Please her
She is hard to please, call Tom.|She is hard to call.|please
Please put the keys away.|Put the keys away.|Please put
Please set the alarm for 7:00.|Set the alarm for 7:00.|Please set
"""

_FORMS = r"""
`it's really good` is the test value.|`it's good` is the test value.|`it's really good`
Run `git push --force` on Tuesday, it's really bad.|Run `git push` on Tuesday.|`git push --force`
The file is in /etc/hippo/really.toml for Anna.|The file is in /etc/hippo.toml for Anna.|/etc/hippo/really.toml
See https://example.org/so/good?x=1 for it, Anna.|See https://example.org/good for it.|https://example.org/so/good?x=1
Write to anna.so@example.org, it's really important.|Write to anna@example.org.|anna.so@example.org
Meet at 7:30, it's so important.|Meet at 7:00, it's so important.|7:30
Due 2024-05-01, it's really important.|Due 2024-06-01.|2024-05-01
Take it at 8 a.m. and 8 p.m., Anna.|Take it at 8 a.m.|8 a.m. and 8 p.m.
x_so_good = really(1) # Anna|x_good = 1 # Anna|x_so_good = really(1)
Dr. Who says it's really good.|Dr. says it's good.|really good
If you ask Dr. Smith, it's really good.|It's really good.|If you ask Dr. Smith, it's really good
I doubt... it's really good, Anna.|It's really good, Anna.|it's really good
Eggs, milk, no butter, very ripe figs (Anna).|Eggs, milk, butter, ripe figs.|no butter, very ripe figs
- Anna: tea\n- Bob: coffee|- Anna: coffee\n- Bob: tea|Anna: tea
She doubts that\nit's really good.|It's really good.|really good
People (it's really sad) left Rome.|People left Rome.|really sad
i'm really happy with anna|i'm happy with anna|really happy
I'M REALLY HAPPY WITH ANNA.|I'M HAPPY WITH ANNA.|REALLY
我对花生过敏, I'm really sad.|我对花生不过敏, I'm sad.|really sad
Анна, I'm really glad ты здесь не одна.|Анна одна.|не одна
أنا سعيد, I'm so happy.|أنا, I'm happy.|so happy
Ich bin nicht wirklich froh, so ist es.|Ich bin wirklich froh, ist es.|nicht wirklich froh, so ist
Wir treffen uns um den See, um acht.|Wir treffen uns, acht.|um den See, um acht
So, ich gehe jetzt.|Ich gehe jetzt.|So, ich
Dois, um, três, Ana.|Dois, três, Ana.|Dois, um, três
So, però, che hai ragione, Anna.|Hai ragione, Anna.|So, però
Je ne suis pas très contente, Anna.|Je suis contente, Anna.|ne suis pas très
A la playa va Ana, no a Madrid.|La playa va Ana, Madrid.|A la playa va Ana, no a Madrid
"""

TEMPTING = [
    Tempting(*(part.replace("\\n", "\n") for part in line.split("|")))
    for table in (_ROLES_AND_WORDS, _NEGATIONS, _HEDGES_AND_CONDITIONS, _QUANTIFIERS_AND_NUMBERS,
                  _RESULTS_AND_READINGS, _QUESTIONS, _OTHERS_WORDS, _FORMS)
    for line in table.strip().splitlines()]
