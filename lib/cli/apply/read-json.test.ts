import { expect, it } from 'vitest'
import { readJson } from './read-json.ts'

const read = (text: string) => readJson(Buffer.from(text))

it('reads JSON, also after a byte order mark', () => {
  expect(read('\ufeff{"teams": []}')).toEqual({ ok: true, value: { teams: [] } })
})

it.each([
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
])('rejects %j with its line and column', (text, place) => {
  expect(read(text)).toMatchObject({ ok: false, message: expect.stringContaining(`(${place})`) })
})

it('does not quote the file in the message', () => {
  expect(JSON.stringify(read('{"password": "hunter22", x}'))).not.toContain('hunter22')
  expect(JSON.stringify(read('{"password": hunter22}'))).not.toContain('hunter22')
})

it('rejects bytes that are not UTF-8', () => {
  expect(readJson(Buffer.from([0x22, 0xff, 0x22]))).toMatchObject({
    ok: false,
    message: expect.stringContaining('UTF-8'),
  })
})
