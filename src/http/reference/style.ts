/** Of the reference page: light and dark, narrow and wide, nothing from outside. */
export const STYLE = `
:root { color-scheme: light dark; --line: #8884; --soft: #8881; --get: #0a6; --put: #b70; --post: #27c; --delete: #c33; }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 72rem; padding: 1rem; font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
h1 { margin-bottom: 0; }
h2 { margin-top: 2.5rem; border-bottom: 1px solid var(--line); }
nav a { margin-right: 1rem; }
code, pre { font: 0.9rem/1.45 ui-monospace, monospace; }
pre { background: var(--soft); padding: 0.75rem; overflow-x: auto; white-space: pre-wrap; }
details { border: 1px solid var(--line); border-radius: 0.4rem; margin: 0.5rem 0; padding: 0 0.75rem; }
details > summary { padding: 0.6rem 0; cursor: pointer; }
details[open] > summary { border-bottom: 1px solid var(--line); margin-bottom: 0.75rem; }
.method { display: inline-block; min-width: 4.5rem; font-weight: 700; }
.GET { color: var(--get); } .PUT { color: var(--put); } .POST { color: var(--post); } .DELETE { color: var(--delete); }
table { border-collapse: collapse; width: 100%; margin: 0.5rem 0 1rem; }
th, td { text-align: left; vertical-align: top; padding: 0.3rem 0.75rem 0.3rem 0; border-bottom: 1px solid var(--line); }
`;
