import { expect, test } from 'vitest'
import { readJson } from './read-json.ts'

const read = (text: string) => readJson(Buffer.from(text))

test('JSON is read, with a byte order mark too', () => {
  expect(read('\ufeff{"teams": []}')).toEqual({ ok: true, value: { teams: [] } })
})

test.each([
  ['', 'line 1, column 1'],
  ['{\n  "teams": [\n', 'line 3, column 1'],
  ['{\n  "teams": [}\n}', 'line 2, column 13'],
  ['{\n  "teams": [],\n}', 'line 3, column 1'],
  ['{"a": tru}', 'line 1, column 10'],
  ["{\n'teams': []}", 'line 2, column 1'],
  ['{"a":1} x', 'line 1, column 9'],
  ['// a comment\n{}', 'line 1, column 1'],
  ['{"a": "one\ntwo"}', 'line 1, column 11'],
  ['{"a": 1 "b": 2}', 'line 1, column 9'],
])('%j is no JSON, and the place is said', (text, place) => {
  expect(read(text)).toMatchObject({ ok: false, message: expect.stringContaining(`(${place})`) })
})

test('what the file holds is not repeated in the message', () => {
  expect(JSON.stringify(read('{"password": "hunter22", x}'))).not.toContain('hunter22')
  expect(JSON.stringify(read('{"password": hunter22}'))).not.toContain('hunter22')
})

test('bytes that are no UTF-8 are refused', () => {
  expect(readJson(Buffer.from([0x22, 0xff, 0x22]))).toMatchObject({
    ok: false,
    message: expect.stringContaining('UTF-8'),
  })
})
