"""The style sheet of the explorer."""

STYLE = """
:root { color-scheme: light dark; --ink: #1b1b1b; --paper: #fff; --line: #bbb; --soft: #f3f3f0; --link: #0b57a4; --alarm: #b3261e;
  --bound: #9a5b00; }
@media (prefers-color-scheme: dark) { :root { --ink: #e8e6e3; --paper: #16181b; --line: #555; --soft: #22262a; --link: #8ab8ff;
  --alarm: #ff8a80; --bound: #f0b352; } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 76rem; padding: 0 1rem 3rem; font: 16px/1.5 system-ui, sans-serif; color: var(--ink);
  background: var(--paper); }
h1 { font-size: 1.5rem; margin: .8rem 0 0; } h2 { font-size: 1.05rem; margin: 1.2rem 0 .3rem; } header p { margin: .2rem 0 1rem; }
main { display: grid; gap: .5rem 2rem; grid-template: "headline" "controls" "rest" / minmax(0, 1fr); }
#headline { grid-area: headline; } #controls { grid-area: controls; } #rest { grid-area: rest; } #headline h2 { margin: 0 0 .3rem; }
@media (min-width: 56rem) { main { grid-template: "controls headline" auto "controls rest" 1fr / minmax(0, 24rem) minmax(0, 1fr); } }
@media (max-width: 56rem) { #headline { position: sticky; top: 0; z-index: 1; background: var(--paper); padding: .3rem 0; } #headline h2 { display: none; } }
:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; }
fieldset { border: 1px solid var(--line); border-radius: .5rem; margin: .8rem 0; padding: .4rem .8rem .8rem; min-width: 0; }
legend { font-weight: 700; padding: 0 .3rem; }
select, input, button { font: inherit; max-width: 100%; } select, input[type=text], button { padding: .3rem .5rem; }
.line { display: grid; margin: .3rem 0; } .line select { width: 100%; }
.line > span, .letter label { font-size: .88rem; }
.letter { display: grid; grid-template-columns: minmax(0, 1fr) 8rem; gap: .1rem .8rem; align-items: center; margin: .5rem 0; }
.letter label { grid-column: 1 / -1; } .letter input[type=range] { width: 100%; min-height: 2rem; accent-color: var(--link); }
.letter input[type=text] { width: 100%; font-family: ui-monospace, monospace; }
#answer { background: var(--soft); border-left: .4rem solid var(--link); border-radius: .3rem; padding: .6rem .8rem; margin: 0; }
#quantity { display: block; } #value { display: block; font: 700 1.25rem/1.4 ui-monospace, monospace; overflow-wrap: anywhere;
  min-height: 1.4em; }
#answer[aria-busy=true] #value, #picture[aria-busy=true], #error[aria-busy=true] { opacity: .45; }
#problem, #curve-problem, .refused { color: var(--alarm); font-weight: 700; overflow-wrap: anywhere; }
#problem { border: 2px solid currentColor; border-radius: .3rem; padding: .5rem .8rem; }
dl { margin: .8rem 0; } dl > div { display: grid; grid-template-columns: 12.5rem minmax(0, 1fr); gap: .2rem .8rem; padding: .25rem 0;
  border-bottom: 1px solid var(--line); } dt { font-weight: 700; } dd { margin: 0; overflow-wrap: anywhere; } dd p { margin: 0 0 .3rem; }
@media (max-width: 30rem) { dl > div { grid-template-columns: minmax(0, 1fr); } }
code { font: .92em ui-monospace, monospace; overflow-wrap: anywhere; } dd code { display: block; opacity: .8; }
.word { display: inline-block; max-width: 100%; } .command { display: flex; flex-wrap: wrap; gap: .5rem; align-items: center; margin: .3rem 0; }
.command code { flex: 1 1 16rem; background: var(--soft); padding: .4rem .6rem; border-radius: .3rem; min-width: 0; }
figure { margin: 0; } #picture svg { display: block; width: 100%; } figcaption { font-size: .88rem; }
svg text { font: 12px system-ui, sans-serif; fill: var(--ink); } .axis { stroke: var(--ink); fill: none; }
.grid { stroke: var(--line); stroke-width: .6; } .curve { stroke: var(--link); stroke-width: 2; fill: none; } .dot { fill: var(--link); }
.bound { stroke: var(--bound); stroke-width: 2; stroke-dasharray: 7 4; fill: none; } .square { fill: var(--bound); }
.here { stroke: var(--ink); stroke-width: 1.2; stroke-dasharray: 2 3; fill: none; }
.mark { fill: var(--paper); stroke: var(--ink); stroke-width: 2.5; }
.scroll { overflow-x: auto; } table { border-collapse: collapse; font-size: .88rem; } caption { text-align: left; font-weight: 700; }
th, td { border: 1px solid var(--line); padding: .2rem .5rem; text-align: left; }
[hidden] { display: none !important; }
@media print { form, button { display: none; } }
"""
