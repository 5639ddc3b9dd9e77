/** The content of the magazine of `npm run demo`: desks, and articles by desk, the oldest first. */

export const DESKS = [
  { slug: 'coast', name: 'The coast desk', about: 'Lights, tides, harbours, and everything that is wet twice a day.' },
  { slug: 'kitchen', name: 'The kitchen desk', about: 'Bread, salt, stock and patience.' },
  { slug: 'road', name: 'The road desk', about: 'Bicycles, mostly, and the roads they would choose.' },
  { slug: 'sky', name: 'The sky desk', about: 'Weather, clocks, stars, and what people made of them.' },
  { slug: 'paper', name: 'The paper desk', about: 'Maps, type, ink and libraries.' },
];

export const ARTICLES = [
  {
    desk: 'coast',
    slug: 'how-a-lighthouse-says-its-name',
    title: 'How a lighthouse says its name',
    standfirst: 'No two lights on a coast blink alike, and that is the whole point.',
    kind: 'explainer',
    published_on: '2025-01-14',
    tags: ['lighthouses', 'navigation'],
    body: `<p>From the deck of a ship at night a coast is a row of sparks. A spark by itself is no help: a skipper who sees a light has to know <em>which</em> light. So every lighthouse is given a character, a rhythm of its own, and the rhythm is printed on the chart beside it.</p>
<p>The notation is terse. <code>Fl(3) 15s</code> is three flashes every fifteen seconds. <code>Oc 6s</code> is a light that is mostly on and goes dark for a moment every six. <code>Iso</code> is on as long as it is off. Neighbours are never given rhythms that a tired eye could confuse.</p>
<p>The odd result is that a lighthouse is read like a word. You count under your breath, look down at the paper, look up and count again. When the two agree you know where you are, and the dark has a shape.</p>`,
  },
  {
    desk: 'coast',
    slug: 'the-lens-that-ate-the-lamp',
    title: 'The lens that ate the lamp',
    standfirst: 'Before Fresnel most of the light of a lighthouse went up, down and inland.',
    kind: 'essay',
    published_on: '2025-02-11',
    tags: ['lighthouses', 'glass'],
    body: `<p>A flame shines in every direction. For a lighthouse that is a calamity, since there is only one direction in which anybody is waiting. The first keepers put mirrors behind their lamps and gained a little. To gain a lot one would have needed a lens as tall as a person, and a lens of that size, cast solid, would have been too thick to let the light through.</p>
<p>Augustin Fresnel noticed that a lens bends light at its surface and nowhere else. The glass in the middle is only there to hold the surface up. Take it away, let the surface fall back in steps, and what remains is a beehive of prisms around the flame, thin, clear, and able to gather almost everything.</p>
<p>The first was lit in 1823 at the mouth of the Gironde. Sailors reported it from distances at which they had been used to see nothing at all.</p>`,
  },
  {
    desk: 'coast',
    slug: 'two-tides-and-a-bit',
    title: 'Two tides and a bit',
    standfirst: 'Why high water is late for its own appointment, every single day.',
    kind: 'explainer',
    published_on: '2025-03-04',
    tags: ['tides', 'moon'],
    body: `<p>Ask at any harbour when high water is and you get a time for today. Tomorrow it will be about fifty minutes later, and the day after that later again. Nobody is being careless. The tide follows the moon, and while the earth turns once the moon has moved on, so that the earth has to turn a little further to catch up.</p>
<p>There are two tides because the moon pulls unevenly: harder at the near side of the earth than at its middle, harder at the middle than at the far side. Water heaps up at both ends. We turn through the heaps.</p>
<p>The sun pulls too, at a little under half the strength. At new and full moon the two pull in one line, and the sea rises high and falls far: <strong>spring tides</strong>, which have nothing to do with the season. At the quarters they pull crosswise, and the sea hardly troubles itself: <strong>neap tides</strong>.</p>`,
  },
  {
    desk: 'coast',
    slug: 'reading-a-tide-table',
    title: 'How to read a tide table without drowning',
    standfirst: 'Four numbers a day, one rule of thumb, and a habit of looking back.',
    kind: 'how-to',
    published_on: '2025-03-18',
    tags: ['tides', 'walking'],
    body: `<p>A tide table gives four times a day and four heights. What it does not give is the state of the beach when you want to walk on it, and for that there is the rule of twelfths.</p>
<ul>
<li>In the first hour after low water the sea rises by one twelfth of the range.</li>
<li>In the second by two twelfths, in the third and fourth by three each.</li>
<li>In the fifth by two, in the sixth by one.</li>
</ul>
<p>In other words: slow, fast, slow. Half of all the water comes in the two middle hours, and it comes at a walking pace over flat sand. Turn round before the third hour. Check whether the table is in summer time. And look behind you more often than ahead, since gullies fill from the land side first.</p>`,
  },
  {
    desk: 'coast',
    slug: 'what-the-fog-signal-said',
    title: 'What the fog signal said',
    standfirst: 'For a century the coast had a voice, and nobody who heard it was fond of it.',
    kind: 'essay',
    published_on: '2025-05-20',
    tags: ['lighthouses', 'sound', 'fog'],
    body: `<p>Light is no use in fog, so lighthouses were given something to shout with. They tried bells, guns, gongs and a steam whistle. Then came the diaphone, a slotted piston driven by compressed air, which began with a roar and ended in a grunt so low that it was felt in the ribs.</p>
<p>It carried for miles, though not reliably. Sound bends in air as light bends in glass, and there were days on which a horn could be heard at six miles and not at two. Mariners were told in print not to judge their distance by it.</p>
<p>The horns fell silent one by one when ships had learnt to see by radio. People who had cursed them for years came out onto the cliffs for the last blast, and some of them wept.</p>`,
  },
  {
    desk: 'coast',
    slug: 'the-slow-business-of-harbours',
    title: 'The slow business of harbours',
    standfirst: 'A harbour is a quarrel between stone and sand, and sand has more time.',
    kind: 'essay',
    published_on: '2025-06-17',
    tags: ['harbours', 'sand'],
    body: `<p>Build a wall into the sea and within a winter the sea has an opinion about it. Waves that strike a shore at an angle carry sand along it, grain by grain, like a conveyor belt that never stops. The wall stops it. On one side the beach grows; on the other it starves.</p>
<p>Behind the wall the water is calm, which is why it was built, and calm water drops what it carries. So harbours fill up. The oldest of them lie inland now, under fields, with iron rings in walls that have not held a rope since the Romans left.</p>
<p>Those that stayed harbours stayed so because somebody kept digging. There is a boat in every port that nobody photographs, brown and square and noisy. It is the most important one.</p>`,
  },
  {
    desk: 'kitchen',
    slug: 'flour-water-salt-and-waiting',
    title: 'Flour, water, salt and waiting',
    standfirst: 'Most of what happens to a loaf happens while the baker is doing something else.',
    kind: 'essay',
    published_on: '2025-01-21',
    tags: ['bread', 'patience'],
    body: `<p>Mix flour with water and go away. In twenty minutes, with no help from anybody, the shaggy mess has become a dough that can be stretched. Two proteins, glutenin and gliadin, have found each other and made gluten, the net that will hold the gas. Kneading hurries this along. Time does it for nothing.</p>
<p>Meanwhile enzymes in the flour cut starch into sugar, and yeast eats the sugar and breathes out. Give it two hours in a warm room and the loaf will be light. Give it a night in a cold one and the loaf will taste of something: the acids that make bread interesting are made slowly, by bacteria that do not care about your plans for breakfast.</p>
<p>A recipe that says <em>knead for ten minutes</em> is telling you about the baker. A recipe that says <em>leave until tomorrow</em> is telling you about the bread.</p>`,
  },
  {
    desk: 'kitchen',
    slug: 'a-loaf-for-people-with-jobs',
    title: 'A loaf for people with jobs',
    standfirst: 'Five minutes in the evening, ten in the morning, and the oven does the rest.',
    kind: 'how-to',
    published_on: '2025-02-18',
    tags: ['bread', 'recipes'],
    body: `<p>In the evening stir together:</p>
<ul>
<li>450 g strong white flour and 50 g rye</li>
<li>350 g cold water</li>
<li>10 g salt</li>
<li>a piece of fresh yeast the size of a pea</li>
</ul>
<p>It will look wrong. Cover it and go to bed. In the morning it will have doubled and be full of bubbles. Fold it over itself four times with a wet hand, put it into a tin, and let it rise while you shower and argue with the radio.</p>
<p>Bake at 230 °C for forty minutes. Tip it out and knock on the bottom: it should sound like a door that nobody answers. Then the hard part, which is not to cut it for an hour. Bread goes on cooking as it cools, and a hot loaf is a gummy one.</p>`,
  },
  {
    desk: 'kitchen',
    slug: 'the-starter-on-the-shelf',
    title: 'The starter on the shelf',
    standfirst: 'Keeping a sourdough is less like cooking than like keeping a very dull pet.',
    kind: 'essay',
    published_on: '2025-04-08',
    tags: ['bread', 'sourdough', 'microbes'],
    body: `<p>A sourdough starter is flour and water in which something has moved in. Feed it every day for a week and throw half of it away each time. On the third day it will smell of old socks. On the fifth of apples. By the end the wild yeasts and the lactic bacteria have settled their differences, the rest have been soured out, and the jar rises and falls like a chest.</p>
<p>Much is made of old starters, handed down and carried over mountains. It is a pleasant thought, but the microbes in the jar are mostly those of this month's flour and these hands. A starter is less an heirloom than a neighbourhood: the name stays, and the people change.</p>
<blockquote>Feed it when it is hungry. Bake with it when it floats. Forgive it when it does neither.</blockquote>`,
  },
  {
    desk: 'kitchen',
    slug: 'in-praise-of-stock',
    title: 'In praise of stock',
    standfirst: 'The cheapest luxury there is, made of things that were on their way out.',
    kind: 'essay',
    published_on: '2025-05-06',
    tags: ['stock', 'thrift'],
    body: `<p>Bones, onion skins, the green ends of leeks, a carrot past its youth. Cold water to cover. A flame so low that you have to bend down to see it. Three hours later the kitchen smells as though somebody competent lived there.</p>
<p>What has happened is collagen, the rope that holds animals together, coming undone into gelatine. It is gelatine that makes a soup feel like something in the mouth, and that makes a sauce shine. A stock that boils hard goes cloudy, because the fat is beaten into it. One that barely trembles stays clear.</p>
<p>Salt it only when you know what it is for. Everything may be added later, and nothing can be taken out.</p>`,
  },
  {
    desk: 'kitchen',
    slug: 'salt-a-short-history-of-taste',
    title: 'Salt: a short history of taste',
    standfirst: 'The only rock we eat, and the reason why there is a butter dish.',
    kind: 'explainer',
    published_on: '2025-07-01',
    tags: ['salt', 'history'],
    body: `<p>Before there was ice there was salt. It draws water out of fish, cabbage, ham and cheese until nothing that rots can live there, and so for a few thousand years it decided who could cross a sea or last a winter. Towns grew where it came out of the ground. Roads are still named for it.</p>
<p>On the tongue it does two things. It tastes of itself, and it turns down bitterness, which is why a pinch of it makes chocolate darker and grapefruit sweeter. A dish that is flat is seldom short of herbs. It is short of salt, or of acid, or of both.</p>
<p>As to the flakes, the pink crystals and the grey: they are all the same stuff in other clothes. Buy the one whose crunch you like and put it on last.</p>`,
  },
  {
    desk: 'road',
    slug: 'why-a-bicycle-stays-up',
    title: 'Why a bicycle stays up',
    standfirst: 'Everybody can ride one, and nobody can quite explain it.',
    kind: 'explainer',
    published_on: '2025-01-28',
    tags: ['bicycles', 'physics'],
    body: `<p>Push a bicycle along an empty car park and let go. It will roll on by itself, wobble, correct the wobble, and only fall when it has nearly stopped. There is nobody on it. What is it doing?</p>
<p>The usual answers are that the wheels are gyroscopes, or that the fork is raked so that the tyre trails behind the steering axis like the wheel of a tea trolley. Both help. But engineers have built a machine with neither, wheels that cancel each other and a contact point in front of the axis, and it stays up all the same.</p>
<p>What all of them share is that when they begin to fall they steer into the fall, and so bring the wheels back under the weight. The rider does the same without knowing it, a hundred small corrections a minute. To turn left you first, for an instant, steer right. You have always done so. Try not to think of it at the lights.</p>`,
  },
  {
    desk: 'road',
    slug: 'the-most-efficient-animal',
    title: 'The most efficient animal',
    standfirst: 'On foot we are middling. On two wheels there is nothing like us.',
    kind: 'essay',
    published_on: '2025-03-11',
    tags: ['bicycles', 'energy'],
    body: `<p>Rank creatures by the energy they spend to carry a gram over a kilometre and a walking human comes out nowhere in particular, somewhere behind the horse, far behind the salmon. Put the same human on a bicycle and the list has a new head: no animal and no engine moves so much so far for so little.</p>
<p>The trick is that walking is a series of small falls, each of which has to be caught, while on a bicycle the weight stays level and only the legs go round. The chain, a humble thing, hands on about ninety-eight parts in a hundred of what it is given.</p>
<p>A slice of bread will take you four kilometres. See the kitchen desk for the bread.</p>`,
  },
  {
    desk: 'road',
    slug: 'mending-a-puncture',
    title: 'How to mend a puncture at the side of the road',
    standfirst: 'Ten minutes, three levers, and the one step that everybody skips.',
    kind: 'how-to',
    published_on: '2025-04-15',
    tags: ['bicycles', 'repairs'],
    body: `<p>Take the wheel out. Work one side of the tyre off with two levers, starting opposite the valve, and pull the tube. Pump it up and pass it by your lip, which is the best leak detector you own.</p>
<p>Now the step that everybody skips: run your fingers, slowly, round the inside of the tyre. Whatever made the hole is probably still in there, waiting for the new tube. It will be a flint the size of a grain of rice. Take it out before it finds your thumb.</p>
<p>Roughen the tube, spread the glue, and <em>wait until it is dry</em>. Press the patch on with more conviction than seems necessary. Put it all back by hand, without levers, finishing at the valve, and push the valve in once to free the tube. Pump. Ride home as though nothing had happened.</p>`,
  },
  {
    desk: 'road',
    slug: 'the-width-of-a-country-lane',
    title: 'The width of a country lane',
    standfirst: 'Roads remember what they were made for, and it was seldom you.',
    kind: 'essay',
    published_on: '2025-06-03',
    tags: ['roads', 'landscape'],
    body: `<p>A lane that winds across a level field is not lost. It is going round something: a boundary, a bog, an oak that has been gone three hundred years. A lane that sinks between banks higher than your head was not dug. It was worn down, by hooves and wheels and the rain that followed them, a hand's breadth in a century.</p>
<p>Straight ones were drawn by somebody with a ruler and an army. Those with wide verges are drove roads, forty feet across because that is what a herd of cattle takes when nobody hurries it.</p>
<p>On a bicycle you go slowly enough to notice and fast enough to compare. It is the right speed for reading.</p>`,
  },
  {
    desk: 'road',
    slug: 'uphill-a-defence',
    title: 'Uphill: a defence',
    standfirst: 'Everybody likes to arrive at the top. A few of us like the way there.',
    kind: 'essay',
    published_on: '2025-07-22',
    tags: ['bicycles', 'hills'],
    body: `<p>The descent is over in four minutes, and you saw none of it but the next ten metres. The climb took forty, and you can still name the flowers.</p>
<p>There is a method. Choose the gear you would be ashamed to be seen in. Sit back. Breathe out harder than in. Do not look at the top, which recedes when watched, but at the verge, which goes by at an encouraging speed. When the road bends take the outside, where it is flatter, and thank whoever laid it out for a horse with a cart.</p>
<p>Somewhere beyond the second bend the complaining stops. The legs have understood that this is what they are doing today. What is left is a rhythm, a lark, and a view that is being paid for in instalments.</p>`,
  },
  {
    desk: 'sky',
    slug: 'naming-the-clouds',
    title: 'Naming the clouds',
    standfirst: 'Until 1802 they were thought too fleeting to have names.',
    kind: 'essay',
    published_on: '2025-02-04',
    tags: ['clouds', 'weather', 'history'],
    body: `<p>Plants had Latin names, and shells, and beetles. Clouds had none: a thing that changes while you look at it, it was thought, can not be a kind of thing. Then a young chemist with a passion for the sky, Luke Howard, read a paper to a small society in London and gave them three families. <em>Cirrus</em>, a curl of hair. <em>Cumulus</em>, a heap. <em>Stratus</em>, a layer.</p>
<p>The stroke of genius was to let them combine. A heap that spreads into a layer is stratocumulus. A layer that rains is nimbostratus. Howard saw that clouds turn into each other, and made a grammar rather than a list.</p>
<p>Poets were delighted and meteorologists have used it ever since. It is one of the few systems of science that can be checked by lying on your back.</p>`,
  },
  {
    desk: 'sky',
    slug: 'noon-is-not-at-twelve',
    title: 'Noon is not at twelve',
    standfirst: 'The sun is a poor timekeeper, and it took us a while to stop blaming the clocks.',
    kind: 'explainer',
    published_on: '2025-03-25',
    tags: ['clocks', 'sun'],
    body: `<p>A sundial and a good watch agree four times a year. In between the dial runs up to sixteen minutes ahead and up to fourteen behind, and it is the dial that wanders.</p>
<p>Two things are at fault. The earth's path is not quite a circle, so in January, when we are closest to the sun, we hurry. And the axis is tilted, so that the sun's way along the sky goes partly sideways, at some times of year more than at others. Add up the two and you get a figure, the equation of time, which used to be engraved on sundials like an apology.</p>
<p>Photograph the sun from one spot at the same minute of the clock, all year round, and it draws the answer for you: a tall, lopsided figure of eight.</p>`,
  },
  {
    desk: 'sky',
    slug: 'how-to-find-north-without-a-phone',
    title: 'How to find north without a phone',
    standfirst: 'By night with seven stars, by day with a stick.',
    kind: 'how-to',
    published_on: '2025-04-29',
    tags: ['stars', 'navigation'],
    body: `<p><strong>At night.</strong> Find the Plough, seven stars in the shape of a saucepan. The two at the end opposite the handle point at a middling star that stands alone, five times their distance away. That is Polaris, and under it is north. Its height above the horizon is your latitude, for which sailors used to risk their eyesight.</p>
<p><strong>By day.</strong> Push a stick into level ground and mark the tip of its shadow with a stone. Make tea. After a quarter of an hour mark the tip again. The line from the first stone to the second runs from west to east, near enough.</p>
<p><strong>In fog.</strong> Stay where you are and finish the tea.</p>`,
  },
  {
    desk: 'sky',
    slug: 'the-shape-of-wind',
    title: 'The shape of wind',
    standfirst: 'An admiral’s scale that measured the wind by what it did to a ship.',
    kind: 'explainer',
    published_on: '2025-05-27',
    tags: ['weather', 'wind', 'history'],
    body: `<p>“Blowing hard” means one thing to a farmer and another to a midshipman. Francis Beaufort, who kept a log every day of his life, wanted a word that would mean the same to both. There was nothing to measure with, so he asked instead: <em>how much sail can she carry?</em></p>
<p>Thirteen steps came of it, from calm, at which a frigate does not steer, to hurricane, “that which no canvas could withstand”. When ships lost their sails the scale was rewritten for the sea itself, with crests and foam and spindrift, and later for the land: at two, leaves rustle; at five, small trees sway; at seven, it is awkward to walk.</p>
<p>It needs no instrument and no battery, and it has never been out of calibration.</p>`,
  },
  {
    desk: 'sky',
    slug: 'why-the-night-is-dark',
    title: 'Why the night is dark',
    standfirst: 'The simplest question in astronomy took three hundred years to answer.',
    kind: 'essay',
    published_on: '2025-07-08',
    tags: ['stars', 'cosmology'],
    body: `<p>If the sky went on for ever, and stars with it, then whichever way you looked your gaze would end on a star, as in a deep wood it ends on a trunk. The whole sky would blaze like the face of the sun. It does not. Something in the premise is wrong.</p>
<p>Dust in between will not do: it would heat up and glow as well. What is wrong is <em>for ever</em>. The stars have not been shining long enough. Light takes its time, the universe had a beginning, and from beyond a certain distance nothing has arrived yet.</p>
<p>One of the first to say so in print was not an astronomer but a poet with a taste for ravens. The dark between the stars is the oldest thing that you can see.</p>`,
  },
  {
    desk: 'paper',
    slug: 'every-map-is-a-choice',
    title: 'Every map is a choice',
    standfirst: 'You can not flatten an orange without tearing it, and cartographers decide where.',
    kind: 'essay',
    published_on: '2025-02-25',
    tags: ['maps', 'geometry'],
    body: `<p>Peel an orange and press the peel onto a table. It splits, or it wrinkles. A map of the world has the same trouble, and gets out of it by lying: about area, about angle, about distance, or a little about everything.</p>
<p>Mercator chose to keep angles. A straight line on his chart is a course that can be steered, which is what sailors asked for in 1569, and he paid for it by making Greenland as large as Africa. Others keep areas true and let the continents hang like washing.</p>
<p>None of them is wrong. The question to put to a map is not whether it is right but what it was <em>for</em>, and who was meant to find their way by it.</p>`,
  },
  {
    desk: 'paper',
    slug: 'the-space-between-letters',
    title: 'The space between letters',
    standfirst: 'Good type is mostly white, and somebody put the white there.',
    kind: 'explainer',
    published_on: '2025-04-01',
    tags: ['type', 'printing'],
    body: `<p>Set an A beside a V and there is a hole between them that you could drive a cart through. Nothing is wrong with either letter. It is the gap that offends, and the cure is to let one lean in under the other's arm: <em>kerning</em>, in lead a matter of filing the metal, now a table of a few thousand pairs.</p>
<p>The eye does not measure distance here but area, the amount of white that is caught between two shapes. A pair of round letters wants to stand closer than a pair of straight ones. A line of capitals wants to be let out a little; a line of small letters hardly ever does.</p>
<p>When it is done well you do not see it. You only notice that the page is quiet, and that you have read to the end.</p>`,
  },
  {
    desk: 'paper',
    slug: 'ink-that-eats-its-paper',
    title: 'Ink that eats its paper',
    standfirst: 'For a thousand years we wrote in oak galls and rust.',
    kind: 'essay',
    published_on: '2025-05-13',
    tags: ['ink', 'archives'],
    body: `<p>A wasp lays an egg in an oak twig, and the oak, out of temper, grows a hard little apple around it. Crush the apple, steep it, add a salt of iron, and you have a grey water that turns black as it dries and can not be washed out. Bach wrote with it, and the clerks of every court in Europe.</p>
<p>It has a flaw. Made with a heavy hand it stays acid, and the acid goes on working. There are letters in the archives in which the words have fallen out, leaving a lattice of paper with the text punched through it as if by a machine.</p>
<p>Conservators bathe such sheets in a salt of phytic acid, which binds the iron, and which is found, of all places, in the bran of wheat. See the kitchen desk. Chemistry is a small town.</p>`,
  },
  {
    desk: 'paper',
    slug: 'the-library-at-closing-time',
    title: 'The library at closing time',
    standfirst: 'What the last quarter of an hour in a reading room is for.',
    kind: 'essay',
    published_on: '2025-06-24',
    tags: ['libraries', 'reading'],
    body: `<p>First the lamps on the far tables go out, which is how the staff clear their throats. Then somebody closes a ledger with a sound like a car door. The people who came for the warmth put on their coats. The people who came for the books pretend not to have noticed.</p>
<p>In the last quarter of an hour more is read in this room than in the two before. It is the time at which the right page turns up: in the volume next to the one that was asked for, in a footnote, on the back of a map. There is no method in it. It can only be approached by having sat there all afternoon.</p>
<p>Then the bell. One by one they bring the books back to the desk, and hold on to them for a moment too long.</p>`,
  },
  {
    desk: 'paper',
    slug: 'how-to-fold-a-map',
    title: 'How to fold a map so that it stays folded',
    standfirst: 'Concertina first. Everything else follows.',
    kind: 'how-to',
    published_on: '2025-08-05',
    tags: ['maps', 'walking'],
    body: `<p>A map that will not fold has usually been folded in the wrong order. Lay it face down. The long way comes first, from side to side, back and forth like the bellows of a concertina, each crease exactly on the old one. You now have a long narrow strip. Only then fold the strip across, in half, and in half again.</p>
<p>To read it in the wind do not open it at all: turn the concertina like the pages of a book to the fold that you are walking in. To go north, hold it so that north is up. To go south, hold it so that south is up, and ignore the people who say that the names are on their heads. You are not reading. You are steering.</p>`,
  },
];

/** What stands below the text of some articles: a sentence of it, the picture of a desk, and articles to read on. */
export const EXTRAS = [
  {
    slug: 'how-to-fold-a-map',
    quote: 'You are not reading. You are steering.',
    picture: 'road',
    related: ['every-map-is-a-choice', 'how-to-find-north-without-a-phone'],
  },
  {
    slug: 'what-the-fog-signal-said',
    quote: 'There were days on which a horn could be heard at six miles and not at two.',
    picture: 'paper',
    related: ['how-a-lighthouse-says-its-name', 'the-lens-that-ate-the-lamp'],
  },
  {
    slug: 'reading-a-tide-table',
    quote: 'In other words: slow, fast, slow.',
    picture: 'sky',
    related: ['two-tides-and-a-bit', 'the-slow-business-of-harbours'],
  },
];
