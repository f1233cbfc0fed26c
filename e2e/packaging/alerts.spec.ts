import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, test } from '@playwright/test'
import { aptInstall } from '../../bin/apt.mjs'

test.describe.configure({ timeout: 300_000 })

const cwd = resolve(import.meta.dirname, '../../deploy/prometheus')
const promtool = (...args: string[]) => execFileSync('/usr/bin/promtool', args, { cwd, encoding: 'utf8' })

test.beforeAll(async () => {
  const said = existsSync('/usr/bin/promtool') ? '' : await aptInstall('prometheus')
  expect(said).toBe('')
})

test('has rules that Prometheus accepts', () => {
  expect(promtool('check', 'rules', 'alerts.yml')).toMatch(/SUCCESS: \d{2} rules found/)
})

test('fires each alert for the series of its test, and for no others', () => {
  expect(promtool('test', 'rules', 'alerts.test.yml')).toContain('SUCCESS')
})
