import { writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Place } from './place.ts'
import { programOf, TOOLS } from './tools.ts'

/** What stands between clients, the service and its database, made by others. */

const HAPROXY = `global
  maxconn 4000
  nbthread 1
defaults
  timeout connect 2s
  timeout client 60s
  timeout server 60s
  timeout check 2s
  default-server inter 100ms fall 2 rise 1
`

const startHaproxy = async (place: Place, port: number, listen: string): Promise<void> => {
  const cwd = place.make(`haproxy-${port}`)
  const file = path.join(cwd, 'haproxy.cfg')
  writeFileSync(file, `${HAPROXY}listen one\n  bind 127.0.0.1:${port}\n${listen}\n`, { mode: 0o644 })
  await place.run([programOf(TOOLS.haproxy), '-db', '-f', file], cwd, port)
}

/** Balances requests between instances, as long as their `/readyz` says 200. */
export const balanceRequests = (place: Place, port: number, behind: readonly number[]): Promise<void> =>
  startHaproxy(
    place,
    port,
    `  mode http
  option forwardfor
  option httpchk GET /readyz
  http-check expect status 200
  balance roundrobin
${behind.map((one) => `  server at${one} 127.0.0.1:${one} check`).join('\n')}`,
  )

/** Leads to the first PostgreSQL server, and to the second one if the first is gone. */
export const leadToPrimary = (place: Place, port: number, [first, second]: readonly number[]): Promise<void> =>
  startHaproxy(
    place,
    port,
    `  mode tcp
  default-server on-marked-down shutdown-sessions
  server first 127.0.0.1:${first} check
  server second 127.0.0.1:${second} check backup`,
  )

/**
 * An nginx that keeps an answer for a minute if the answer does not say otherwise. Its cache looks at no credentials. Not
 * what is 5xx, as Varnish says it before the service has started.
 */
export const startNginx = async (place: Place, port: number, behind: number): Promise<void> => {
  const cwd = place.make('nginx')
  const file = path.join(cwd, 'nginx.conf')
  const folders = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${cwd}/${name};`,
  )
  const text = `daemon off;
pid ${cwd}/nginx.pid;
worker_processes 1;
error_log stderr warn;
events { worker_connections 2048; }
http {
  access_log off;
  ${folders.join('\n  ')}
  proxy_cache_path ${cwd}/cache keys_zone=all:10m;
  upstream behind { server 127.0.0.1:${behind}; keepalive 64; }
  server {
    listen 127.0.0.1:${port};
    location / {
      proxy_pass http://behind;
      proxy_http_version 1.1;
      proxy_set_header Connection "";
      proxy_set_header Host $http_host;
      proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
      proxy_cache all;
      proxy_cache_valid 200 204 303 400 401 403 404 410 422 429 60s;
      add_header X-Cache-Status $upstream_cache_status always;
    }
  }
}
`
  writeFileSync(file, text, { mode: 0o644 })
  await place.run([programOf(TOOLS.nginx), '-p', cwd, '-e', 'stderr', '-c', file], cwd, port)
}

/** A Varnish with its own settings: it keeps an answer for two minutes if the answer does not say otherwise. */
export const startVarnish = async (place: Place, port: number, behind: number): Promise<void> => {
  const cwd = place.make('varnish')
  const options = ['-F', '-j', 'none', '-n', `${cwd}/work`, '-s', 'malloc,64m']
  const addresses = ['-a', `127.0.0.1:${port}`, '-b', `127.0.0.1:${behind}`]
  await place.run([programOf(TOOLS.varnish), ...options, ...addresses], cwd, port)
}
