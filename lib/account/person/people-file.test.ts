import { expect, it } from 'vitest'
import type { Problem } from '#lib/text/read-fields'
import { readPeople } from './people-file.ts'

const ada = { username: 'ada', password: 'correct horse', email: 'ada@example.org' }

function read(people: unknown) {
  const problems: Problem[] = []
  const read = readPeople(people, 'relay.example.org', (path, message) => problems.push({ path, message }))
  return { people: read, problems: problems.map(({ path, message }) => `${path} ${message}`) }
}

it('reads every field of a person', () => {
  const profile = {
    name: 'Ada Lovelace',
    nickname: 'Ada',
    biography: 'One.\nTwo.',
    gender: 'female',
    birthdate: '1815-12-10',
    region: 'GB',
    locale: 'en',
  }
  expect(read([{ ...ada, ...profile }])).toEqual({ problems: [], people: [{ path: 'people[0]', ...ada, profile }] })
})

it('leaves absent fields undefined, and reads an empty e-mail address as none', () => {
  expect(read([{ username: 'ada', email: '' }]).people).toEqual([
    { path: 'people[0]', username: 'ada', password: undefined, email: undefined, profile: {} },
  ])
})

it('folds username and e-mail address', () => {
  expect(read([{ ...ada, username: 'Ada', email: 'Ada@Example.ORG' }]).people[0]).toMatchObject({
    username: 'ada',
    email: 'ada@example.org',
  })
})

it.each([
  ['Ada@Bücher.example', 'ada@xn--bcher-kva.example'],
  ['ada@例え.テスト', 'ada@xn--r8jz45g.xn--zckzah'],
  ['ada@例子。测试', 'ada@xn--fsqu00a.xn--0zwm56d'],
  ['ada@XN--BCHER-KVA.example', 'ada@xn--bcher-kva.example'],
  ['ada@ＥＸＡＭＰＬＥ.org', 'ada@example.org'],
])('stores %s as %s', (email, stored) => {
  expect(read([{ ...ada, email }])).toMatchObject({ people: [{ email: stored }], problems: [] })
})

it('reports an address that is given in Unicode and in ASCII', () => {
  const people = [
    { ...ada, email: 'ada@bücher.example' },
    { ...ada, username: 'bob', email: 'ada@xn--bcher-kva.example' },
  ]
  expect(read(people).problems).toEqual([expect.stringContaining('people[1].email is given twice')])
})

it.each(['user@a.example', 'first.last+tag@sub.example.co', "o'neil@example.org", 'a@xn--bcher-kva.example'])(
  'accepts the address %s',
  (email) => {
    expect(read([{ ...ada, email }]).problems).toEqual([])
  },
)

it.each([
  ['username', undefined, 'is missing'],
  ['username', 'ab', '3 to 32'],
  ['username', 'a'.repeat(33), '3 to 32'],
  ['username', '.ada', 'beginning with'],
  ['username', 'ad a', '3 to 32'],
  ['username', 'adä', '3 to 32'],
  ['username', '\u212aate', '3 to 32'],
  ['password', 'short77', 'at least 8'],
  ['password', '🙂🙂🙂🙂', 'at least 8'],
  ['password', 'p'.repeat(257), 'at most 256'],
  ['password', 'Password1', 'commonly used'],
  ['password', 'with\0nul character', 'NUL'],
  ['password', 12345678, 'must be text'],
  ['email', 'ada', 'mail address'],
  ['email', 'ada@', 'mail address'],
  ['email', '@example.org', 'mail address'],
  ['email', 'ada@example', 'mail address'],
  ['email', 'a da@example.org', 'mail address'],
  ['email', 'ada@exa_mple.org', 'mail address'],
  ['email', 'ada..l@example.org', 'mail address'],
  ['email', 'ada@example.org\nBcc: x@y.example', 'mail address'],
  ['email', 'Ada <ada@example.org>', 'mail address'],
  ['email', `${'a'.repeat(65)}@example.org`, 'mail address'],
  ['email', 'ada@relay.example.org', 'Hide My Email'],
  ['email', 'ada@ＲＥＬＡＹ.example.org', 'Hide My Email'],
  ['email', 'ädä@example.org', 'mail address'],
  ['email', 'ada@b%C3%BCcher.ä.example', 'mail address'],
  ['email', 'ada@bücher.example/x', 'mail address'],
  ['email', 'ada@a\u200db.example', 'mail address'],
  ['email', `ada@${'ü'.repeat(300)}.example`, 'mail address'],
  ['email', 'ada@x.RELAY.example.org', 'Hide My Email'],
  ['name', 'a'.repeat(81), 'at most 80'],
  ['name', 'a\nb', 'control'],
  ['nickname', 'a'.repeat(81), 'at most 80'],
  ['biography', 'a'.repeat(1001), 'at most 1000'],
  ['biography', 'a\u0007', 'control'],
  ['gender', 'robot', 'male, female or other'],
  ['birthdate', '1815-13-01', 'real date'],
  ['birthdate', '2023-02-29', 'real date'],
  ['birthdate', '10.12.1815', 'real date'],
  ['region', 'China', 'region'],
  ['region', 'cn', 'region'],
  ['region', 'CN-', 'region'],
  ['locale', 'fr', 'zh-CN'],
  ['nick', 'x', 'is not a known key'],
])('rejects %s %j', (field, value, why) => {
  const { people, problems } = read([{ ...ada, [field]: value }])
  expect(people).toEqual([])
  expect(problems).toHaveLength(1)
  expect(problems[0]).toContain(`people[0].${field}`)
  expect(problems[0]).toContain(why)
})

it.each(['CN', 'CN-11', 'GB-ENG', 'JP-13', ''])('accepts the region %j', (region) => {
  expect(read([{ ...ada, region }]).problems).toEqual([])
})

it('reports a username or e-mail address that is given twice in another case', () => {
  const { problems } = read([ada, { username: 'ADA', email: 'Ada@example.org' }])
  expect(problems).toEqual([
    'people[1].username is given twice: "ada" already appears at people[0].username',
    'people[1].email is given twice: "ada@example.org" already appears at people[0].email',
  ])
})

it.each([{}, 'people', null])('rejects %j in place of the list of people', (people) => {
  expect(read(people).problems).toEqual(['people must be a list'])
})
