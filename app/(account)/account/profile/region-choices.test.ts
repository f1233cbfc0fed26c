import { expect, it } from 'vitest'
import { isCurrent } from '#app/(account)/account/sections.ts'
import { profileFields } from '#lib/account/person/person-rules'
import { locales } from '#lib/text/messages'
import { regionChoices } from './region-choices.ts'

it.each(locales)('lists every region once by its name in %s, and each can be stored', (locale) => {
  const choices = regionChoices('', locale)
  expect(choices).toHaveLength(249)
  expect(new Set(choices.map(({ label }) => label)).size).toBe(249)
  expect(choices.filter(({ value, label }) => value === label)).toEqual([])
  expect(choices.filter(({ value }) => !profileFields.region.safeParse(value).success)).toEqual([])
})

it('offers the stored subdivision', () => {
  expect(regionChoices('CN-11', 'en')).toContainEqual({ value: 'CN-11', label: 'China (CN-11)' })
  expect(regionChoices('JP', 'en').filter(({ value }) => value === 'JP')).toHaveLength(1)
})

it('marks the section of the page', () => {
  expect(isCurrent('/account', '/account')).toBe(true)
  expect(isCurrent('/account', '/account/data')).toBe(false)
  expect(isCurrent('/account/data', '/account/data/delete')).toBe(true)
  expect(isCurrent('/account/data', '/account/database')).toBe(false)
})
