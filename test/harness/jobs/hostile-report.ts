/** Texts that would do harm if they were interpreted as markup. */
export const hostileTexts = [
  '#import "@preview/evil:1.0.0": *',
  '#read("/etc/passwd")',
  '\\#let x = 1 $x$ *b* _i_ `c` <label> @ref // /* ',
  '"},"kind":"text","text":"',
  '</style></title><script>alert(1)</script>',
  `' onload='alert(1)`,
  '&lt;b&gt; &amp;',
  'שלום مرحبا \u202egnp.exe',
  '👩‍👩‍👧 😀 株式会社',
  `/${'a'.repeat(400)}`,
  '\u0000\u0007\ud800',
] as const;
