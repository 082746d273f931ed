import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fileTypeOf } from './file-type.js';

test.each([
  ['/', '', 'html'],
  ['/shop/shoes', '', 'html'],
  ['/index.HTML', '', 'html'],
  ['/a/b.tar.gz', '', 'gz'],
  ['/logo.PNG', 'text/html', 'png'],
  ['/.env', '', 'env'],
  ['/dir.d/page', '', 'html'],
  ['/v1.2', '', 'html'],
  ['/archive.7z', '', '7z'],
  ['/a.', '', 'html'],
  ['/jquery-3.7.1', '', 'html'],
  ['/x.averyveryverylongone', '', 'html'],
  ['/x.p%68p', '', 'html'],
  ['/api/items', 'application/json; charset=utf-8', 'json'],
  ['/image/1', 'image/WEBP', 'webp'],
  ['/odd', 'application/x-unheard-of', 'html'],
  ['/site.webmanifest', '', 'json'],
  ['/site.WebManifest', 'text/html', 'json'],
  ['/manifest.json', '', 'json'],
  ['/browserconfig.xml', '', 'xml'],
  ['/ads.txt', '', 'txt'],
  ['/device.mobileconfig', '', 'xml'],
  ['/people/john.smithsonian', '', 'html'],
  ['/.well-known/apple-app-site-association', '', 'txt'],
  ['/.well-known/apple-app-site-association', 'application/json', 'json'],
  ['/.well-known/change-password', 'text/html', 'txt'],
  ['/.well-known/assetlinks.json', '', 'json'],
  ['*', 'text/html', ''],
  ['shop.example:443', '', ''],
  ['index.php', '', ''],
  ['', '', ''],
  ['', 'text/html', ''],
])('%s (%s) is %s', (path, contentType, type) => {
  expect(fileTypeOf(path, contentType)).toBe(type);
});

test.each(Object.getOwnPropertyNames(Object.prototype))('a media type of %s names no file type', (name) => {
  expect(fileTypeOf('/page', name)).toBe('html');
});

test('a file type is short and lower case, with letters and digits only, for any path', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect(fileTypeOf(`/${text}`, '')).toMatch(/^[a-z0-9]{1,8}$/);
    }),
  );
});
