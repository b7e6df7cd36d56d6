import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Item } from '../../../src/dynamodb/attribute-value.js'
import { numberToIon, symbolToIon } from '../../../src/dynamodb/export/ion-writer.js'
import { changeLine, itemLine, parseLine } from '../../../src/dynamodb/export/lines.js'
import { parseFilesManifest, parseSummaryManifest } from '../../../src/dynamodb/export/manifest.js'
import { parseInputItem } from '../../../src/engine/values/parse-item.js'
import { anyAttributes } from '../../arbitraries.js'

const FORMATS = ['DYNAMODB_JSON', 'ION'] as const
const parseItem = (line: string, format: (typeof FORMATS)[number] = 'ION') => {
  const parsed = parseLine(line, format)
  return 'item' in parsed ? parsed.item : undefined
}

/** Canonical, as the engine stores it. */
const canonical = (item: Item) => parseInputItem(item, 'current').item

describe.each(FORMATS)('a line in %s', format => {
  test('holds items with any names and values', () => {
    fc.assert(
      fc.property(anyAttributes, given => {
        const item = canonical(given)
        const line = itemLine(item, format)
        expect(line.endsWith('\n') && !line.slice(0, -1).includes('\n')).toBe(true)
        expect(canonical(parseItem(line, format)!)).toEqual(item)
      }),
      { numRuns: 1000 },
    )
  })

  test('has any change', () => {
    const image = fc.option(anyAttributes.map(canonical), { nil: undefined })
    fc.assert(
      fc.property(anyAttributes.map(canonical), image, image, fc.nat(), (keys, oldImage, newImage, writtenMicros) => {
        const parsed = parseLine(changeLine({ keys, oldImage, newImage, writtenMicros }, format), format)
        const change = 'change' in parsed ? parsed.change : undefined
        expect(change && canonical(change.keys)).toEqual(keys)
        expect(change?.oldImage && canonical(change.oldImage)).toEqual(oldImage)
        expect(change?.newImage && canonical(change.newImage)).toEqual(newImage)
        expect(change?.writtenMicros).toBe(writtenMicros)
      }),
    )
  })

  test.each(['', '[]', '{}', '{"Key": 1}', 'null', '{"Item":', '\u0000\u0001PNG', '{Item:{a:2026-01-01T}}'])(
    'the line %j is an error and no crash',
    text => {
      expect(() => parseLine(text, format)).toThrow(/the line|is not/)
    },
  )
})

test('a change in DynamoDB JSON has the members of an incremental export', () => {
  const change = { keys: { a: { S: 'a' } }, writtenMicros: 1_680_109_764_000_000, newImage: { a: { S: 'a' } } }
  expect(JSON.parse(changeLine(change, 'DYNAMODB_JSON'))).toEqual({
    Metadata: { WriteTimestampMicros: { N: '1680109764000000' } },
    Keys: { a: { S: 'a' } },
    NewImage: { a: { S: 'a' } },
  })
})

describe('Ion text', () => {
  test('Ion text is written as in exports of DynamoDB', () => {
    const item: Item = {
      Authors: { SS: ['Author1', 'Author2'] },
      Dimensions: { S: '8.5 x 11.0 x 1.5' },
      Id: { N: '103' },
      InPublication: { BOOL: false },
      PageCount: { N: '600' },
      Price: { N: '2000' },
      Nothing: { NULL: true },
      Bytes: { B: new Uint8Array([1, 2]) },
      Sizes: { NS: ['0.5', '-20'] },
    }
    expect(itemLine(item, 'ION')).toBe(
      '$ion_1_0 {Item:{Authors:$dynamodb_SS::["Author1","Author2"],Dimensions:"8.5 x 11.0 x 1.5",Id:103.,' +
        'InPublication:false,PageCount:6d2,Price:2d3,Nothing:null,Bytes:{{AQI=}},Sizes:$dynamodb_NS::[0.5,-2d1]}}\n',
    )
  })

  test.each([
    ['0', '0.'],
    ['-1', '-1.'],
    ['100', '1d2'],
    ['0.5', '0.5'],
    [`0.${'0'.repeat(129)}1`, '1d-130'],
    [`-0.${'0'.repeat(100)}15`, '-15d-102'],
  ])('has the number %s as %s', (number, ion) => {
    expect(numberToIon(number)).toBe(ion)
  })

  test.each([
    ['a', 'a'],
    ['null', "'null'"],
    ['$10', "'$10'"],
    ["it's", "'it\\'s'"],
    ['say "a"', `'say "a"'`],
    ['', "''"],
  ])('has the name %s as %s', (name, ion) => {
    expect(symbolToIon(name)).toBe(ion)
  })

  test('Ion text of other writers is read: comments, long texts, escapes, integers, floats and typed nulls', () => {
    const line = `$ion_1_0 // marker
      { /* all */ "Item": { a: '''long ''' '''text''', 'b c': "\\x41\\u00e9\\U0001F600\\t", d: 1_000, e: 0xff, f: -0b101,
        g: 1.5e3, h: null.string, i: [1, 2,], j: {{ AQ I= }}, k: -1.25d-3, m: 12e0, n: some::"text" } }`
    expect(parseItem(line)).toEqual({
      a: { S: 'long text' },
      'b c': { S: 'Aé😀\t' },
      d: { N: '1000' },
      e: { N: '255' },
      f: { N: '-5' },
      g: { N: '1.5E3'.replace('E', 'e') },
      h: { NULL: true },
      i: { L: [{ N: '1' }, { N: '2' }] },
      j: { B: new Uint8Array([1, 2]) },
      k: { N: '-1.25E-3' },
      m: { N: '12e0' },
      n: { S: 'text' },
    })
  })

  test.each([
    ['{Item:{a:nan}}', "an attribute cannot be the symbol 'nan'"],
    ['{Item:{a:2026-01-01}}', "expected ',' or '}'"],
    ['{Item:{a:(1 2)}}', 'expected a value'],
    ['{Item:{a:"open}}', 'the text has no end'],
    ['{Item:{a:1}} {Item:{b:1}}', 'expected the end of the line'],
    ['{Item:{a:"\\q"}}', 'a text has an unknown escape'],
    [`{Item:{a:${'['.repeat(100)}${']'.repeat(100)}}}`, 'values nest too deep'],
    ['{Item:{a:$dynamodb_SS::[1]}}', 'Item.a is a set with a member of another type'],
  ])('invalid Ion text is rejected with the place: %s', (line, message) => {
    expect(() => parseItem(line)).toThrow(message)
  })
})

describe('a manifest', () => {
  test('the error for a truncated manifest names its file', () => {
    expect(() => parseFilesManifest('{"itemCount":1,', 'some/manifest-files.json')).toThrow(
      'some/manifest-files.json: the manifest of the export is not complete; download it again.',
    )
    expect(() => parseSummaryManifest('', 'some/manifest-summary.json')).toThrow('download it again')
  })

  test('a manifest without a type, which is older than incremental exports, belongs to a full export', () => {
    const { outputFormat, exportType } = parseSummaryManifest('{"version":"2020-06-30"}', 'file')
    expect([outputFormat, exportType]).toEqual(['DYNAMODB_JSON', 'FULL_EXPORT'])
  })
})
