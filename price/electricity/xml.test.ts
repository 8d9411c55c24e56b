import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { childrenOf, parseXml, textOf, XmlError } from './xml.ts';

suite('the XML reader', () => {
  test('reads elements, attributes, comments and the five entities, by local names', () => {
    const root = parseXml(
      `\uFEFF<?xml version="1.0"?>\n<!-- a > b --><m:A xmlns:m="urn:x" at='1 &amp; 2'><m:B>x &lt;<!-- y -->z</m:B><B/>\n</m:A>\n`,
    );
    assert.equal(root.name, 'A');
    assert.equal(root.attributes.get('at'), '1 & 2');
    assert.equal(textOf(root, 'B'), 'x <z');
    assert.equal(childrenOf(root, 'B').length, 2);
  });

  for (const { says, text } of [
    { says: 'nothing', text: '' },
    { says: 'text alone', text: 'Unauthorized' },
    { says: 'a document type', text: '<!DOCTYPE a><a/>' },
    { says: 'a custom entity', text: '<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>' },
    { says: 'an unknown entity', text: '<a>&nbsp;</a>' },
    { says: 'a numeric reference', text: '<a>&#65;</a>' },
    { says: 'a bare ampersand', text: '<a>1 & 2</a>' },
    { says: 'an entity in an attribute', text: '<a b="&c;"/>' },
    { says: 'an entity named like a member of Object', text: '<a>&constructor;</a>' },
    { says: 'a CDATA section', text: '<a><![CDATA[b]]></a>' },
    { says: 'a processing instruction', text: '<a><?php ?></a>' },
    { says: 'a missing end', text: '<a><b></b>' },
    { says: 'an unclosed tag', text: '<a' },
    { says: 'an unclosed comment', text: '<a><!-- </a>' },
    { says: 'crossing tags', text: '<a><b></a></b>' },
    { says: 'a closing tag without an opening tag', text: '</a>' },
    { says: 'two roots', text: '<a/><b/>' },
    { says: 'text after the root', text: '<a/>b' },
    { says: 'an attribute without quotes', text: '<a b=c/>' },
    { says: 'a tag without a name', text: '<>' },
    { says: 'a tag of 3000 characters', text: `<a b="${'c'.repeat(3000)}"/>` },
    { says: '33 levels', text: '<a>'.repeat(33) + '</a>'.repeat(33) },
    { says: '100 001 elements', text: `<a>${'<b/>'.repeat(100_000)}</a>` },
    { says: 'five million characters', text: `<a>${' '.repeat(5_000_000)}</a>` },
  ]) {
    test(`refuses ${says}, at once`, () => {
      const began = process.threadCpuUsage(); // not wall time, which depends on the load of the machine
      assert.throws(() => parseXml(text), XmlError);
      assert.ok(process.threadCpuUsage(began).user < 500_000, 'in microseconds');
    });
  }
});
