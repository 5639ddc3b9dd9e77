/** The style of the guides: light or dark as the reader prefers, one column on a phone. It has the colours of the service's other pages. */
export const STYLE = `
:root { color-scheme: light dark; --text: #1a1a1a; --back: #fff; --dim: #595959; --line: #d9d9d9; --box: #f4f4f4; --link: #0b57d0; --mark: #ffe58a }
@media (prefers-color-scheme: dark) { :root { --text: #e6e6e6; --back: #161616; --dim: #a8a8a8; --line: #444; --box: #262626; --link: #8ab4f8; --mark: #6b5800 } }
*, *::before, *::after { box-sizing: border-box }
html { scroll-padding-top: 1rem }
body { margin: 0; background: var(--back); color: var(--text); font: 1rem/1.6 system-ui, sans-serif; overflow-wrap: break-word }
a { color: var(--link) }
:focus-visible { outline: 2px solid var(--link); outline-offset: 2px }
main:focus { outline: none }
.skip { position: absolute; left: -999rem }
.skip:focus { left: 1rem; top: .5rem; padding: .25rem .75rem; background: var(--back); z-index: 1 }

header { display: flex; flex-wrap: wrap; gap: .5rem 1.5rem; align-items: center; padding: .75rem 1.5rem; border-bottom: 1px solid var(--line) }
header .home { font-weight: 600; color: inherit; text-decoration: none }
header form { display: flex; gap: .5rem; flex: 1 1 16rem; max-width: 30rem }
header ul { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; list-style: none; margin: 0; padding: 0 }
input, button { font: inherit; color: inherit; background: var(--back); border: 1px solid var(--dim); border-radius: .3rem; padding: .25rem .6rem; min-height: 2.25rem }
input { flex: 1; min-width: 0 }
input::placeholder { color: var(--dim); opacity: 1 }
button { background: var(--box); cursor: pointer }

.columns { display: grid; grid-template-columns: 17rem minmax(0, 48rem); gap: 0 3rem; padding: 0 1.5rem 4rem; max-width: 72rem }
.columns > main { grid-column: 2; grid-row: 1 }
#contents { grid-column: 1; grid-row: 1; font-size: .925rem; line-height: 1.4; padding-top: 1.5rem }
#contents h2 { font-size: .925rem; margin: 1.25rem 0 .25rem }
#contents ul, .headings ul, .results { list-style: none; margin: 0; padding: 0 }
#contents li { margin: .4rem 0 }
#contents a { color: inherit; text-decoration: none }
#contents a:hover { text-decoration: underline }
#contents [aria-current] { font-weight: 600; border-left: 3px solid var(--link); padding-left: .5rem; display: block }
.narrow { display: none }

h1, h2, h3, h4 { line-height: 1.25 }
h1 { font-size: 1.9rem; margin: 1.5rem 0 1rem }
main h2 { font-size: 1.35rem; margin: 2.25rem 0 .75rem }
main h3 { font-size: 1.1rem; margin: 1.75rem 0 .5rem }
main :is(h2, h3, h4) > a { color: inherit; text-decoration: none }
main :is(h2, h3, h4) > a:hover { text-decoration: underline }
li { margin: .3rem 0 }
code, pre { font: .9em/1.5 ui-monospace, monospace }
:not(pre) > code { background: var(--box); border-radius: .2rem; padding: .1em .25em; overflow-wrap: anywhere }
pre { background: var(--box); border-radius: .3rem; padding: .75rem 1rem; overflow-x: auto }
pre code { font-size: 1em }
.table { overflow-x: auto }
table { border-collapse: collapse; font-size: .95rem }
th, td { border-bottom: 1px solid var(--line); padding: .35rem 1rem .35rem 0; text-align: left; vertical-align: top; min-width: 6rem }
.number { text-align: right; font-variant-numeric: tabular-nums }
.headings { border-left: 3px solid var(--line); padding-left: 1rem; font-size: .925rem }
.headings li { margin: .2rem 0 }
.source { margin-top: 3rem; font-size: .9rem; color: var(--dim) }
.results li { margin: 1.25rem 0 }
.results p { margin: .15rem 0; color: var(--dim) }
mark { background: var(--mark); color: var(--text) }

@media (max-width: 60rem) {
  header { padding: .75rem 1rem }
  .columns { display: block; padding: 0 1rem 3rem }
  .narrow { display: block }
  #contents { border-top: 1px solid var(--line); margin-top: 2rem }
  #contents a { display: block; padding: .25rem 0 }
  h1 { font-size: 1.6rem }
}
`;
