/** For the screen and for paper. Contrasts of texts are at least 4.5 to 1. */
export const STYLE = `
:root{color:#1c2733;background:#fff;font:16px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif}
body{margin:0 auto;max-width:52rem;padding:2rem 1.25rem 4rem}
header{border-bottom:3px solid #1b4f8f;margin-bottom:1.5rem;padding-bottom:1rem}
h1{font-size:2.2rem;line-height:1.15;margin:.2rem 0;overflow-wrap:anywhere}
h2{font-size:1.5rem;margin:2.5rem 0 .75rem;border-bottom:1px solid #d5dce3;padding-bottom:.3rem}
h3{font-size:1.1rem;margin:0 0 .4rem}
.kind{color:#1b4f8f;font-weight:600;margin:0}
.for{font-size:1.15rem;overflow-wrap:anywhere}
nav ol{display:flex;flex-wrap:wrap;gap:.25rem 1.5rem;list-style:none;padding:0}
a{color:#1b4f8f}
.figures{display:grid;grid-template-columns:repeat(auto-fit,minmax(10.5rem,1fr));gap:.75rem;margin:1rem 0}
.figures div{border:1px solid #d5dce3;border-radius:.4rem;padding:.6rem .75rem}
dt{color:#4a5866;font-size:.875rem}
.figures dd{margin:0}
.figures b{display:block;font-size:1.45rem;line-height:1.3;font-variant-numeric:tabular-nums}
.figures span{color:#4a5866;font-size:.8125rem}
figure{margin:1.5rem 0}
figcaption,caption{font-weight:600;text-align:left;padding:.25rem 0}
figure svg{width:100%;height:auto;display:block}
.alt{color:#4a5866;font-size:.8125rem;margin:.25rem 0 0}
table{border-collapse:collapse;width:100%;margin:1.25rem 0;font-size:.9rem}
th,td{text-align:left;vertical-align:top;padding:.3rem .6rem .3rem 0;border-bottom:1px solid #e4e9ee}
td.text{overflow-wrap:break-word}
td.path{overflow-wrap:anywhere;font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;font-size:.8125rem}
th.number,td.number{text-align:right;padding-right:0;padding-left:.6rem;white-space:nowrap;font-variant-numeric:tabular-nums}
.finding{border-left:4px solid #5f6b76;padding:.1rem 0 .1rem 1rem;margin:1.75rem 0}
.finding.high{border-color:#b3334b}.finding.medium{border-color:#d9730d}
.finding p{margin:.35rem 0}.finding table{margin:.6rem 0}
.finding .figure{font-size:1.05rem}
.level{font-size:.75rem;font-weight:600;text-transform:uppercase;letter-spacing:.04em;border-radius:.25rem;padding:.1rem .4rem;background:#e4e9ee;color:#24323f;white-space:nowrap}
.high .level{background:#b3334b;color:#fff}.medium .level{background:#8f4700;color:#fff}
.read{color:#4a5866;font-size:.8125rem}
.terms{display:grid;grid-template-columns:minmax(8rem,1fr) 4fr;gap:.5rem 1rem}
.terms dd{margin:0}
@media(max-width:34rem){.terms{grid-template-columns:1fr}table{font-size:.8rem}}
@media print{@page{size:A4;margin:18mm 16mm}body{max-width:none;padding:0;font-size:10.5pt}nav{display:none}
h2,h3,caption,figcaption{break-after:avoid}figure,tr,.figures div{break-inside:avoid}.finding h3,.finding p{break-inside:avoid}thead{display:table-header-group}}
`.trim();
