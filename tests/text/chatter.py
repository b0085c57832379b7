"""Texts with social noise, written by hand: what goes out of them, and what looks like noise and must stay."""

from __future__ import annotations

# What is left when all that may go has gone.
GOES = [
    ("Thanks! The train leaves from platform B2.", "The train leaves from platform B2."),
    ("The train leaves from platform B2. Thanks!", "The train leaves from platform B2."),
    ("That's awesome! My sister plays the cello.", "My sister plays the cello."),
    ("Wow, that sounds great! My sister plays the cello.", "My sister plays the cello."),
    ("Anna moved to Rome. Good luck!", "Anna moved to Rome."),
    ("Anna moved to Rome. Take care!", "Anna moved to Rome."),
    ("Anna moved to Rome. How are you?", "Anna moved to Rome."),
    ("How are you? I moved to Rome in May.", "I moved to Rome in May."),
    ("Hey, how's it going? I moved to Rome in May.", "I moved to Rome in May."),
    ("Sounds good. My sister plays the cello.", "My sister plays the cello."),
    ("Glad to hear it! My sister plays the cello.", "My sister plays the cello."),
    ("You’re welcome! My sister plays the cello.", "My sister plays the cello."),
    ("My sister plays the cello. What about you?", "My sister plays the cello."),
    ("My sister plays the cello. Let me know how it goes!", "My sister plays the cello."),
    ("Hi there! Thanks! My sister plays the cello. Bye!", "My sister plays the cello."),
    ("Oh wow, congrats! Thanks! Bob plays chess.", "Bob plays chess."),
    ("Thanks, Gina! That's awesome! Bob plays chess.", "Thanks, Gina! Bob plays chess."),
    ("Hey Gina! Bob plays chess. Thanks, Gina! Take care!", "Hey Gina! Bob plays chess. Thanks, Gina!"),
    ("Thanks, man! Bob plays chess.", "Bob plays chess."),
    ("Sorry to hear that. Bob plays chess.", "Bob plays chess."),
    ("I'm so happy for you! Bob plays chess.", "Bob plays chess."),
    ("Thanks for asking! Bob plays chess at 7:30. Take care!", "Bob plays chess at 7:30."),
    ("Is Bob at the club? How about you?", "Is Bob at the club?"),
    ("  Thanks!  Bob plays chess.  Bye!  ", "  Bob plays chess.  "),
    ("What a great idea! Bob plays chess.", "Bob plays chess."),
]

# What must be there, whatever goes: text | part of it. Without a part the text stays as it is.
_TAKEN_BACK = r"""
That's awesome! Not.
That's awesome! Just kidding, it's awful.
Bob plays chess. Just kidding. Good luck!
That's great! Actually, I hate chess.
Sounds good. However, Bob hates chess.
Wow, that's cool! I'm joking, I hate chess.|Wow, that's cool!
Congrats! I take that back, Bob won it.
Thanks a lot! I don't mean it.
Thanks a lot! I really mean it, Tom.
That's wonderful! Yeah, right, as if it was.
How exciting! No, I hate chess.
Great job! Haha, you broke the vase.
Great job! I am being sarcastic here.
That's so sweet! Nope, I hate chess.
Good luck! You'll need it with Bob.
You're awesome! Never mind, that was for Tom.
That's good! Wait, Bob hates chess.
I'm proud of you! That's a lie, Tom.
Bob won the cup. I take it back. Congrats!
Bob won the cup. Scratch that, Tom won it. Good for you!
That's impressive! On second thought, it's dull.
Glad to hear it! Ironically, I lost mine.
Sounds fun! Except that Bob hates chess.
Sounds great! Unless Bob comes along too.
How nice! But Bob hates chess.
Have fun! Or not, as Bob would have it.
Congrats! Psych, Bob has won it.
Thanks! Seriously, you saved my life.
That's lovely! Lol, Bob hates chess.
Good luck! Still, Bob will win it.
"""
_ANSWERS_AND_PROMISES = r"""
Sure! Bob plays chess.|Sure!
Definitely! Bob plays chess.|Definitely!
Of course. Bob plays chess.|Of course.
I'd love to! Bob plays chess.|I'd love to!
Absolutely! Bob plays chess.|Absolutely!
Not really. Bob plays chess.|Not really.
That's right. Bob plays chess.|That's right.
That's true. Bob plays chess.|That's true.
Same here! Bob plays chess.|Same here!
Me too! Bob plays chess.|Me too!
I agree. Bob plays chess.|I agree.
No problem! Bob plays chess.|No problem!
My pleasure! Bob plays chess.|My pleasure!
Will do! Bob plays chess.|Will do!
Got it! Bob plays chess.|Got it!
You got it! Bob plays chess.|You got it!
Deal! Bob plays chess.|Deal!
I'll be there! Bob plays chess.|I'll be there!
Count me in! Bob plays chess.|Count me in!
I promise! Bob plays chess.|I promise!
Okay! Bob plays chess.|Okay!
Yes! Bob plays chess.|Yes!
No thanks! Bob plays chess.|No thanks!
No, thank you! Bob plays chess.|No, thank you!
Great! Bob plays chess.|Great!
Good. Bob plays chess.|Good.
Great, thanks! Bob plays chess.|Great, thanks!
Fine, thanks. Bob plays chess.|Fine, thanks.
Perfect! Bob plays chess.|Perfect!
Awesome! Bob plays chess.|Awesome!
Exactly! Bob plays chess.|Exactly!
No way! Bob plays chess.|No way!
I know, right? Bob plays chess.|I know, right?
Can't wait! Bob plays chess.|Can't wait!
Works for me! Bob plays chess.|Works for me!
It's a deal, thanks! Bob plays chess.|It's a deal, thanks!
I'll keep you posted! Bob plays chess.|I'll keep you posted!
I'm here for you! Bob plays chess.|I'm here for you!
Do you want some tea? I have plenty. Thanks!
Did Bob win the cup? Congrats!
Could you help me with the garden? I appreciate it!
How was the trip to Rome? Way to go!
How are you? Terrible, to be frank.|How are you?
How are you? Sick.|How are you?
How are you? Much better.|How are you?
What do you think? It depends on Bob.|What do you think?
What about you? I prefer coffee.|What about you?
How are you? Glad to hear it! I moved to Rome.|Glad to hear it!
You passed the exam? That's great!
"""
_PLANS = r"""
Sounds good! I'll bring the wine.
Sounds great. See you at 7:30 then.
Sounds fun! Let's take the car.
That's great! Monday works for me.
Great idea! We should take the car.
That sounds like fun! I'm in.|That sounds like fun!
That sounds like fun! I'm definitely in for the show.
That's cool! Bob will join us there.
Sounds good! What time do we leave?
Sounds good! Meet me at the station.
Let's leave at noon. What do you think?
We'll take the car to Rome. Thoughts?
I could book the red house. What do you think about it?
We could take the car. Let me know what you think!
Bob and I take the car. Sounds good.
See you there! Bob plays chess.|See you there!
See you tomorrow! Bob plays chess.|See you tomorrow!
See you soon! Bob plays chess.|See you soon!
Looking forward to it! Bob plays chess.|Looking forward to it!
Sounds like a plan! Bob plays chess.|Sounds like a plan!
"""
_NEWS = r"""
Happy birthday to my son! He plays chess.|Happy birthday to my son!
Happy birthday! My son plays chess.|Happy birthday!
Merry Christmas! My son plays chess.|Merry Christmas!
Welcome home! My son plays chess.|Welcome home!
Welcome back! My son plays chess.|Welcome back!
Congrats on the new job! My son plays chess.|Congrats on the new job!
Congratulations on your wedding! My son plays chess.|Congratulations on your wedding!
Congrats to Bob! My son plays chess.|Congrats to Bob!
Thanks for the 20 euros! My son plays chess.|Thanks for the 20 euros!
Thanks for coming to the wedding! My son plays chess.|Thanks for coming to the wedding!
Thanks for the book! My son plays chess.|Thanks for the book!
Thanks for your help yesterday! My son plays chess.|Thanks for your help yesterday!
Thanks for nothing! My son plays chess.|Thanks for nothing!
Thanks to Bob! My son plays chess.|Thanks to Bob!
Thanks, Mum! My son plays chess.|Thanks, Mum!
Thanks, Gina! My son plays chess.|Thanks, Gina!
Good luck with the exam! My son plays chess.|Good luck with the exam!
Good luck on Monday! My son plays chess.|Good luck on Monday!
Good luck, Bob! My son plays chess.|Good luck, Bob!
Get well soon! My son plays chess.|Get well soon!
Safe travels! My son plays chess.|Safe travels!
Have a great trip! My son plays chess.|Have a great trip!
Good morning! My son plays chess.|Good morning!
Good night! My son plays chess.|Good night!
Glad you liked the cake! My son plays chess.|Glad you liked the cake!
Sorry for your loss. My son plays chess.|Sorry for your loss.
Sorry! My son plays chess.|Sorry!
I'm so happy! My son plays chess.|I'm so happy!
I'm so proud of him! My son plays chess.|I'm so proud of him!
That was awesome! My son plays chess.|That was awesome!
It's awesome! My son plays chess.|It's awesome!
This is awesome! My son plays chess.|This is awesome!
That's a great dog! My son plays chess.|That's a great dog!
What a lovely view! My son plays chess.|What a lovely view!
That's terrible! My son plays chess.|That's terrible!
That's not awesome! My son plays chess.|That's not awesome!
That's almost awesome! My son plays chess.|That's almost awesome!
That's pretty cool! My son plays chess.|That's pretty cool!
Maybe that's great! My son plays chess.|Maybe that's great!
You're the best of them all! My son plays chess.|You're the best of them all!
Nice to meet you! My son plays chess.|Nice to meet you!
Long time no see! My son plays chess.|Long time no see!
Your support means a lot! My son plays chess.|Your support means a lot!
Take care of my cat! My son plays chess.|Take care of my cat!
Have fun in Rome! My son plays chess.|Have fun in Rome!
What do you think of Bob? My son plays chess.|What do you think of Bob?
Let me know how the exam goes! My son plays chess.|Let me know how the exam goes!
How is your mother? My son plays chess.|How is your mother?
Hi, I'm Tom! My son plays chess.|Hi, I'm Tom!
My son plays chess. That's awesome!
Mum gave me her ring. That means a lot to me!
Spinach is full of iron. Good for you!
I found a position at the bank. Great job!
I run a bakery these days. How's it going?
"""
_LEANING = r"""
Congrats! On the new job, I mean.
Congrats! For the new job, from all of us.
Thanks! Especially for the cake.
Thanks! And thanks to Bob.
Thanks! That's for the cake.
Good luck! Tomorrow.
Good luck! Until Monday, that is.
Have a great day! You too, Tom.
Have a great day! Same to you.
Glad to hear it! Me too, by the way.
Good luck! With all my heart.
That's so kind! Which is more than I can say of Bob.
Take care! Because it is slippery there.
Good luck! If Bob comes along.
Keep it up! Even if Bob laughs.
Take care! That's an order.
"""
_FORMS = r"""
Anna: Thanks! Bob plays chess. Tom: Bye!
Anna: Bob plays chess. Thanks!
Anna - Bob plays chess. Thanks!
Thanks!\nBob plays chess.
Bob plays chess.\n- Thanks!
- Bob plays chess. Thanks!
1. Bob plays chess. Thanks!
She said "thanks". Bob plays chess. Bye!
“Thanks!” Bob plays chess. Bye!
'Hello' is what Bob plays. Thanks!
Bob plays `chess`. Thanks!
Bob plays <b>chess</b>. Thanks!
Bob plays chess (badly). Thanks!
Bob plays chess 😉. Thanks!
Bob plays chess; he wins. Thanks! ;)
Thanks! Anna said to Bob.
Thanks! Anna smiled at Bob.
Bob told me a lie. Good luck!
Bob shouted at me. Thanks a lot!
Bob wrote me a letter. Good luck!
Her last words were these. Take care!
The password has two words. Good luck!
My favourite song is this. Take care!
The poster has one line. Good luck!
Translate this to French. Good luck!
Thanks! see Bob on Monday.
Bob plays chess... Thanks!
Thanks... Bob plays chess.
THANKS! Bob plays chess.|THANKS!
Good Luck! Bob plays chess.|Good Luck!
Thanks Bob plays chess.
Thanks
Thanks!
Take care! Bye!
Thanks, Gina! Take care!
Thanks, Gina! Yeah!
Ok. Thanks!
Bob works for Dr. Thanks!
I got a dog. Congrats! I got a cat.
I like tea. How about you? I like milk.
Wow?! Bob plays chess.|Wow?!
danke! Bob plays chess. thanks!
Merci! Bob plays chess.|Merci!
Danke! Bob plays chess.|Danke!
"""

STAYS = [
    (text.replace("\\n", "\n"), (part or text).replace("\\n", "\n"))
    for table in (_TAKEN_BACK, _ANSWERS_AND_PROMISES, _PLANS, _NEWS, _LEANING, _FORMS)
    for line in table.strip().splitlines() for text, _, part in [line.partition("|")]]
