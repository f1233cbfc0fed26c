import { globSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { makeMetrics } from '#lib/server/observe/metrics'
import { settings } from '#lib/server/settings/settings'
import { makeIsAmong } from '#lib/text/network'

const { registry } = makeMetrics()
const read = (file: string) => readFileSync(file, 'utf8')
/** Labels that Prometheus adds, and "exported_job", its name for a label "job" of a process. */
const added = ['job', 'instance', 'le', 'exported_job']

describe.each(['deploy/prometheus/alerts.yml', 'deploy/grafana/postern.json'])('%s', (file) => {
  const text = read(file).replaceAll('\\"', '"')
  const names = [...text.matchAll(/\b(?:postern|nodejs|process)_[a-z0-9_]*_[a-z0-9_]+/g)].map(([name]) => name)

  it('names only metrics of a process', async () => {
    const known = (await registry.getMetricsAsJSON()).flatMap(({ name, type }) =>
      String(type) === 'histogram' ? [`${name}_bucket`, `${name}_count`, `${name}_sum`] : [name],
    )
    expect(new Set(names).size).toBeGreaterThan(5)
    expect([...new Set(names)].filter((name) => !known.includes(name))).toEqual([])
  })

  it('selects and groups only by labels of these metrics', () => {
    const labelsOf = (name: string) =>
      (registry.getSingleMetric(name.replace(/_bucket$/, '')) as { labelNames?: string[] } | undefined)?.labelNames ??
      []
    for (const [, name = '', selector = ''] of text.matchAll(/\b(postern_[a-z_]+)\{([^}]*)\}/g)) {
      const used = [...selector.matchAll(/([a-z_]+)=~?"/g)].map(([, label]) => label)
      expect(
        used.filter((label = '') => ![...added, ...labelsOf(name)].includes(label)),
        name,
      ).toEqual([])
    }
    const all = new Set([...added, 'job_name', ...names.flatMap(labelsOf)])
    const grouped = [...text.matchAll(/\bby \(([a-z_, ]+)\)/g)].flatMap(([, labels = '']) => labels.split(', '))
    expect(grouped.length).toBeGreaterThan(2)
    expect(grouped.filter((label) => !all.has(label))).toEqual([])
  })
})

describe('the alerts', () => {
  const names = [...read('deploy/prometheus/alerts.yml').matchAll(/- alert: (\w+)/g)].map(([, name = '']) => name)

  it('are each tested and explained', () => {
    const tests = read('deploy/prometheus/alerts.test.yml')
    const page = read('docs/incidents.md')
    expect(names.length).toBeGreaterThan(8)
    expect(names.filter((name) => !tests.includes(`alertname: ${name}`))).toEqual([])
    expect(names.filter((name) => !page.includes(`\`${name}\``))).toEqual([])
  })
})

describe('the program of a release', () => {
  it('limits memory as npm start does', () => {
    const limitsOf = (text: string) => {
      const flags = text.match(/--(?!import|dev)[a-z-]+(=\d+)?(?=[' ])/g) ?? []
      const variables = [...text.matchAll(/(MALLOC_\w+)(?:: .*\?\? '|="\$\{\w+:-)(\d+)/g)]
      return [...flags, ...variables.map(([, name, value]) => `${name}=${value}`)]
    }
    const limits = limitsOf(read('bin/start.mjs'))
    expect(limits).toHaveLength(7)
    expect(limitsOf(read('deploy/bin/postern-server')).toSorted()).toEqual(limits.toSorted())
  })
})

describe('the systemd unit', () => {
  const unit = read('deploy/systemd/postern.service')

  it('gives the server more time to stop than it takes', () => {
    const { DRAIN_SECONDS: drain = 5 } = settings.parse({})
    const [, patience = '0'] = /^const patience = ([\d_]+)$/m.exec(read('lib/server/shutdown.ts')) ?? []
    const [, seconds = '0'] = /^TimeoutStopSec=(\d+)$/m.exec(unit) ?? []
    expect(Number(patience.replace('_', ''))).toBeGreaterThan(0)
    expect(Number(seconds)).toBeGreaterThan(drain + Number(patience.replace('_', '')) / 1000)
  })

  it('starts again until the database is there', () => {
    const [, heading = ''] = /^\[Unit\]\n([^[]*)/m.exec(unit) ?? []
    expect(heading).toMatch(/^StartLimitIntervalSec=0$/m)
    expect(unit).toMatch(/^Restart=always$/m)
  })

  it('names files of the release', () => {
    const paths = [...unit.matchAll(/\/usr\/lib\/postern\/(\S+)/g)].map(([, path = '']) =>
      path.replace(/^bin\//, 'deploy/bin/'),
    )
    expect(paths.filter((path) => globSync(path).length === 0)).toEqual([])
  })
})

describe.each(['high-availability/haproxy.cfg', 'nginx/postern.conf', 'caddy/Caddyfile'])('%s', (file) => {
  // e2e/proxy-faults.spec.ts runs each proxy with its file.
  it('says when to try again in answers of the proxy itself', () => {
    expect(read(`deploy/${file}`)).toMatch(/Retry-After 5\b/)
  })
})

describe('the container', () => {
  const compose = read('deploy/docker/compose.yaml')

  it('trusts the gateway of its network, from which requests through a published port come', () => {
    const [, network = '', gateway = ''] = /- subnet: (\S+)\n\s+gateway: (\S+)/.exec(compose) ?? []
    const [, trusted] = /^ {6}TRUST_PROXY: (\S+)$/m.exec(compose) ?? []
    expect(trusted).toBe(gateway)
    expect(makeIsAmong([network])(gateway)).toBe(true)
    expect(compose).toContain('ports: ["127.0.0.1:3000:3000", "127.0.0.1:3001:3001"]')
  })
})

describe('the deletion journal of docs/backup.md', () => {
  const [, folder = ''] = /DELETION_JOURNAL=(\S+)\/deleted/.exec(read('.env.example')) ?? []

  it('can be written in the sandbox of the unit', () => {
    expect(folder).toBe('/var/backups/postern')
    expect(read('deploy/systemd/postern.service')).toContain(`\nReadWritePaths=-${folder}\n`)
    expect(read('deploy/debian/postern.env')).toContain(`\n#DELETION_JOURNAL=${folder}/deleted\n`)
    expect(read('deploy/debian/postern.env')).toContain(`install -d -o postern -g postern -m 0700 ${folder}\n`)
  })

  it('has a volume in the container, which its user owns', () => {
    const compose = read('deploy/docker/compose.yaml')
    expect(compose).toContain(`DELETION_JOURNAL: ${folder}/deleted`)
    const [, volume = ''] = new RegExp(`volumes: \\["(\\w+):${folder}"\\]`).exec(compose) ?? []
    expect(compose.split('\nvolumes:\n')[1]).toContain(`  ${volume}:\n`)
    const image = read('deploy/docker/Dockerfile')
    const [, uid, gid] = /^USER (\d+):(\d+)$/m.exec(image) ?? []
    expect(image).toContain(`RUN install -d -o ${uid} -g ${gid} -m 0700 ${folder}\n`)
  })
})

describe('docs/design/threat-model.md', () => {
  const rows = read('docs/design/threat-model.md')
    .split('\n')
    .filter((line) => /^\| [STRIDE] \|/.test(line))

  it('cites an existing test in each row', () => {
    expect(rows.length).toBeGreaterThan(20)
    for (const row of rows) {
      const tests = [...row.matchAll(/`([\w/.-]+\.(?:test|spec)\.ts)`/g)].map(([, file = '']) => file)
      expect(tests.length, row).toBeGreaterThan(0)
      expect(tests.filter((file) => globSync(file).length === 0)).toEqual([])
    }
  })

  it('has every kind of threat', () => {
    expect(new Set(rows.map((row) => row[2]))).toEqual(new Set('STRIDE'))
  })
})
