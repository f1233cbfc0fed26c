import { expect, it } from 'vitest'
import { isLoopbackAddress, isPublicAddress, networkOf, networksOf, plainAddress } from './network.ts'

it.each([
  ['192.0.2.7', '192.0.2.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:0DB8:0001:0002::', '2001:db8:1:2::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['2001:db8::2:3:4:5:6', '2001:db8:0:2::/64'],
  ['::1', '0:0:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['::ffff:192.0.2.7', '192.0.2.7'],
  ['::FFFF:c000:0207', '192.0.2.7'],
  ['::ffff:192.0.2.7%eth0', '192.0.2.7'],

  ['', ''],
  ['unknown', 'unknown'],
])('counts %s as %s', (address, network) => {
  expect(networkOf(address)).toBe(network)
})

it('counts an IPv6 address under its /64, /56 and /48, with larger allowances for the wider ones', () => {
  expect(networksOf('2001:db8:1:2345::9')).toEqual([
    { name: '2001:db8:1:2345::/64', factor: 1 },
    { name: '2001:db8:1:2300::/56', factor: 10 },
    { name: '2001:db8:1::/48', factor: 30 },
  ])
})

it('gives a /64, a /56 and a /48 with the same prefix different names', () => {
  expect(new Set(networksOf('2001:db8:1::').map(({ name }) => name)).size).toBe(3)
})

it.each(['192.0.2.7', '::ffff:192.0.2.7', '::ffff:c000:207', '0:0:0:0:0:FFFF:192.0.2.7', '0::0:ffff:c000:0207'])(
  'counts %s only under one IPv4 address',
  (address) => {
    expect(networksOf(address)).toEqual([{ name: '192.0.2.7', factor: 1 }])
  },
)

it.each(['::1', '::192.0.2.7', '1::ffff:c000:207', '::ffff:0:c000:207', '2001:db8::ffff:c000:207', 'unknown'])(
  'leaves %s unchanged, which is no IPv4-mapped address',
  (address) => {
    expect(plainAddress(address)).toBe(address)
  },
)

it.each([
  ['127.0.0.1', true],
  ['127.9.8.7', true],
  ['::1', true],
  ['::ffff:127.0.0.1', true],
  ['10.0.0.1', false],
  ['::ffff:10.0.0.1', false],
  ['::', false],
  ['127.evil.example', false],
  ['', false],
])('classifies %s as loopback: %s', (address, expected) => {
  expect(isLoopbackAddress(address)).toBe(expected)
})

it.each(['8.8.8.8', '172.15.0.1', '172.32.0.1', '100.128.0.1', '2606:4700::1111', '2a00:1450:4001::1'])(
  'classifies %s as public',
  (address) => {
    expect(isPublicAddress(address)).toBe(true)
  },
)

it.each([
  ...['0.0.0.0', '10.255.255.255', '100.64.0.1', '127.0.0.1', '169.254.169.254', '172.16.0.1', '192.168.1.1'],
  ...['198.18.0.1', '203.0.113.9', '224.0.0.1', '240.0.0.1', '255.255.255.255', '168.63.129.16'],
  ...['::', '::1', '::ffff:8.8.8.8', '::8.8.8.8', '64:ff9b::8.8.8.8', '2002:808:808::1', '2001:0:1::1'],
  ...['fc00::1', 'fd00:ec2::254', 'fe80::1', 'ff02::1', '2001:db8::1', '3fff::1', '2a00::1%eth0', '', 'example.org'],
])('classifies %s as not public', (address) => {
  expect(isPublicAddress(address)).toBe(false)
})
