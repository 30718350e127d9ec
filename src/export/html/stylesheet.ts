/** The sheet's one style: paper and ink, dark in the dark, two or more columns where there is room, six shots a printed page. */
export const STYLESHEET = `
:root{color-scheme:light dark;--paper:#f6f1e5;--card:#fffdf7;--ink:#28262d;--soft:#6b655f;--line:#d8cfbd;--accent:#9a3f35}
@media (prefers-color-scheme:dark){:root{--paper:#17161a;--card:#222026;--ink:#ece7dc;--soft:#a59d92;--line:#3a363f;--accent:#e58b7c}}
*{box-sizing:border-box}
body{margin:0;background:var(--paper);color:var(--ink);font:16px/1.5 "Callsheet",system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans KR","Apple SD Gothic Neo","Malgun Gothic",sans-serif;overflow-wrap:anywhere}
main,header{max-width:1500px;margin:0 auto;padding:0 16px}
header{padding-top:24px;padding-bottom:8px}
h1{margin:0;font-size:clamp(1.5rem,4vw,2.4rem);line-height:1.2}
h2{margin:32px 0 12px;padding-bottom:6px;border-bottom:2px solid var(--ink);font-size:1.15rem;scroll-margin-top:8px}
h2 small{font-weight:400;color:var(--soft)}
.facts{display:flex;flex-wrap:wrap;gap:4px 20px;margin:8px 0 0;padding:0;list-style:none;color:var(--soft)}
.facts b{color:var(--ink)}
.hint{margin:8px 0 0;color:var(--soft);font-size:.9rem}
nav ol{columns:16rem;margin:16px 0 0;padding:0 0 0 1.6em;font-size:.92rem}
a{color:inherit}
.grid{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,300px),1fr));gap:16px;margin:0;padding:0;list-style:none}
figure{display:flex;flex-direction:column;height:100%;margin:0;background:var(--card);border:1px solid var(--line);border-radius:6px;overflow:hidden}
figure img{display:block;width:100%;height:auto;background:var(--line)}
.none{display:grid;place-content:center;aspect-ratio:16/9;padding:16px;text-align:center;color:var(--soft);border-bottom:1px dashed var(--line)}
figcaption{padding:10px 12px 12px;display:flex;flex-direction:column;gap:6px}
.head{display:flex;flex-wrap:wrap;align-items:baseline;gap:2px 10px}
.head b{font-size:1.05rem}
.head span{color:var(--soft)}
.off{opacity:.55}
.flag{padding:0 6px;border:1px solid currentColor;border-radius:4px;font-size:.8rem;color:var(--soft)}
.line b{color:var(--accent);margin-right:.5em}
.action{color:var(--soft);font-size:.92rem}
.edit{padding:6px 8px;border-left:3px solid var(--accent);background:color-mix(in srgb,var(--accent) 9%,transparent);font-size:.9rem}
code{font:.85rem/1.4 ui-monospace,SFMono-Regular,Menlo,monospace;user-select:all;-webkit-user-select:all;padding:2px 6px;border:1px solid var(--line);border-radius:4px;background:var(--paper)}
details{font-size:.88rem;color:var(--soft)}
summary{cursor:pointer}
p{margin:0}
dl{display:grid;grid-template-columns:minmax(6rem,max-content) 1fr;gap:6px 16px;margin:0 0 40px}
dt{font-weight:700}
dd{margin:0;color:var(--soft)}
@page{size:A4 landscape;margin:10mm}
@media print{
:root{--paper:#fff;--card:#fff;--ink:#000;--soft:#444;--line:#999;--accent:#7a2a22}
body{font-size:9.5pt;line-height:1.35}
nav,.hint,details,code{display:none}
main,header{max-width:none;padding:0}
h2{margin:4mm 0 2mm;break-after:avoid}
.grid{grid-template-columns:repeat(3,1fr);gap:4mm}
.grid>li{break-inside:avoid}
figure{height:auto;max-height:86mm}
figcaption{padding:2mm;gap:1mm}
}
`.trim();
