import { expect, it } from 'vitest'
import { makeReverseToken, readLocalPart, writeLocalPart } from './local-part.ts'

const key = Buffer.alloc(32, 1)
const token = makeReverseToken(key, 'abcdefghjkmn', 'News@App.example')

it('is equal for an address in any case and fits its local part', () => {
  expect(makeReverseToken(key, 'abcdefghjkmn', 'news@app.example')).toBe(token)
  expect(readLocalPart(writeLocalPart({ kind: 'reverse', token }))).toEqual({ kind: 'reverse', token })
})

it('differs for another key, alias or address', () => {
  const others = [
    makeReverseToken(Buffer.alloc(32, 2), 'abcdefghjkmn', 'news@app.example'),
    makeReverseToken(key, 'abcdefghjkmp', 'news@app.example'),
    makeReverseToken(key, 'abcdefghjkmn', 'news@app.example2'),
  ]
  expect(new Set([token, ...others]).size).toBe(4)
})
