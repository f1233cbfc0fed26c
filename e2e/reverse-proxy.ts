import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { ensureProgram } from '../bin/apt.mjs'
import { accepts } from './haproxy.ts'

export type ProxyName = 'caddy' | 'nginx'

/** The ports of a proxy and of the server behind it. */
export type Ports = { proxy: number; issuer: number; account: number }

const guide = readFileSync(resolve(import.meta.dirname, '../docs/operate.md'), 'utf8')

const files = { caddy: 'caddy/Caddyfile', nginx: 'nginx/postern.conf' }

/** Returns the configuration of deploy/ for a proxy. */
export const deployed = (name: ProxyName) =>
  readFileSync(resolve(import.meta.dirname, '../deploy', files[name]), 'utf8')

/** Returns the settings that docs/operate.md gives for a server behind a proxy. */
export function documentedSettings(): Record<string, string> {
  const [, text = ''] = /^```sh\n(ISSUER=[\s\S]*?)^```$/m.exec(guide) ?? []
  return Object.fromEntries([...text.matchAll(/^([A-Z_]+)=(.*)$/gm)].map(([, name = '', value = '']) => [name, value]))
}

/** Starts a proxy with this configuration on its own ports. `folder` has the certificate and gets the files of the proxy. */
export async function startProxy(name: ProxyName, configuration: string, ports: Ports, folder: string) {
  const program = await ensureProgram(name)
  const own = join(folder, `${name}-${ports.proxy}`)
  mkdirSync(own)
  const text = configuration
    .replaceAll('127.0.0.1:3000', `127.0.0.1:${ports.issuer}`)
    .replaceAll('127.0.0.1:3001', `127.0.0.1:${ports.account}`)
  const args = name === 'nginx' ? prepareNginx(text, ports.proxy, own, folder) : prepareCaddy(text, ports.proxy, own)
  const child = spawn(program, args, { env: { PATH: process.env.PATH, HOME: own, XDG_DATA_HOME: own } as never })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      output += chunk
    })
  const kill = () => child.kill('SIGKILL')
  process.once('exit', kill)
  while (!(await accepts(ports.proxy))) {
    if (child.exitCode !== null || child.signalCode !== null) throw new Error(`${name} does not start:\n${output}`)
    await sleep(50)
  }
  return {
    async remove() {
      process.off('exit', kill)
      const gone = child.exitCode === null ? once(child, 'close') : undefined
      kill()
      await gone
      rmSync(own, { recursive: true, force: true })
    },
  }
}

/** Debian's nginx.conf includes the file of deploy/ in the same place, inside `http`. */
function prepareNginx(text: string, port: number, own: string, certificates: string): string[] {
  const site = text
    .replaceAll('listen 443 ssl', `listen 127.0.0.1:${port} ssl`)
    // A machine may have no IPv6.
    .replaceAll(/^\tlisten \[::\]:443 .*\n/gm, '')
    .replaceAll('/var/log/nginx/', `${own}/`)
    .replaceAll(/\/etc\/letsencrypt\/live\/\S+\/fullchain\.pem/g, join(certificates, 'cert.pem'))
    .replaceAll(/\/etc\/letsencrypt\/live\/\S+\/privkey\.pem/g, join(certificates, 'key.pem'))
  writeFileSync(join(own, 'postern.conf'), site)
  const folders = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((one) => `${one}_temp_path ${own}/${one};`)
  const http = ['access_log off;', ...folders, `include ${own}/postern.conf;`].join(' ')
  const main = `daemon off; master_process off; pid ${own}/pid; error_log stderr; events {} http { ${http} }`
  writeFileSync(join(own, 'nginx.conf'), main)
  return ['-e', 'stderr', '-c', join(own, 'nginx.conf')]
}

/** The global options keep Caddy from the public certificate authority and from the ports of the machine. */
function prepareCaddy(text: string, port: number, own: string): string[] {
  const options = [
    'admin off',
    `https_port ${port}`,
    'auto_https disable_redirects',
    'local_certs',
    'skip_install_trust',
  ]
  writeFileSync(join(own, 'Caddyfile'), `{\n${options.join('\n')}\n}\n${text}`)
  return ['run', '--adapter', 'caddyfile', '--config', join(own, 'Caddyfile')]
}
