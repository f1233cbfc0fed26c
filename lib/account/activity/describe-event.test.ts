import { expect, it } from 'vitest'
import { describeDevice, kindOfDevice } from './describe-event.ts'

const mozilla = 'Mozilla/5.0'
const webkit = 'AppleWebKit/537.36 (KHTML, like Gecko)'
const windows = '(Windows NT 10.0; Win64; x64)'

it.each([
  [`${mozilla} ${windows} ${webkit} Chrome/140.0.0.0 Safari/537.36`, 'Chrome', 'Windows'],
  [`${mozilla} ${windows} ${webkit} Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0`, 'Edge', 'Windows'],
  [`${mozilla} ${windows} ${webkit} Chrome/140.0.0.0 Safari/537.36 OPR/120.0.0.0`, 'Opera', 'Windows'],
  [`${mozilla} (Windows NT 10.0; Win64; x64; rv:144.0) Gecko/20100101 Firefox/144.0`, 'Firefox', 'Windows'],
  [
    `${mozilla} (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Safari/605.1.15`,
    'Safari',
    'macOS',
  ],
  [
    `${mozilla} (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Mobile/15E148 Safari/604.1`,
    'Safari',
    'iPhone',
  ],
  [
    `${mozilla} (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/140.0 Mobile/15E148 Safari/604.1`,
    'Chrome',
    'iPhone',
  ],
  [
    `${mozilla} (iPad; CPU OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) FxiOS/144.0 Mobile/15E148 Safari/605.1.15`,
    'Firefox',
    'iPad',
  ],
  [`${mozilla} (Linux; Android 10; K) ${webkit} Chrome/140.0.0.0 Mobile Safari/537.36`, 'Chrome', 'Android'],
  [
    `${mozilla} (Linux; Android 14; SM-S918B) ${webkit} SamsungBrowser/28.0 Chrome/130.0 Mobile Safari/537.36`,
    'Samsung Internet',
    'Android',
  ],
  [
    `${mozilla} (Linux; Android 14) ${webkit} Version/4.0 Chrome/130.0 Mobile Safari/537.36 MicroMessenger/8.0.50`,
    'WeChat',
    'Android',
  ],
  [`${mozilla} (X11; CrOS x86_64 14541.0.0) ${webkit} Chrome/140.0.0.0 Safari/537.36`, 'Chrome', 'ChromeOS'],
  [`${mozilla} (X11; Linux x86_64; rv:144.0) Gecko/20100101 Firefox/144.0`, 'Firefox', 'Linux'],
  [`${mozilla} (X11; Linux x86_64) ${webkit} HeadlessChrome/140.0.0.0 Safari/537.36`, 'Chrome', 'Linux'],
  ['curl/8.5.0', undefined, undefined],
  ['', undefined, undefined],
  ['<script>alert(1)</script> Windows', undefined, 'Windows'],
])('reads %s', (userAgent, browser, system) => {
  expect(describeDevice(userAgent)).toEqual({ browser, system })
})

it.each([
  [`${mozilla} ${windows} ${webkit} Chrome/140.0.0.0 Safari/537.36`, 'computer'],
  [`${mozilla} (Linux; Android 10; K) ${webkit} Chrome/140.0.0.0 Mobile Safari/537.36`, 'phone'],
  [`${mozilla} (Linux; Android 10; K) ${webkit} Chrome/140.0.0.0 Safari/537.36`, 'tablet'],
  [`${mozilla} (iPad; CPU OS 18_6 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148`, 'tablet'],
  [`${mozilla} (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148`, 'phone'],
  ['', 'computer'],
])('names the kind of the device of %s', (userAgent, kind) => {
  expect(kindOfDevice(userAgent)).toBe(kind)
})
