import { writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Place } from './place.ts'
import { programOf, TOOLS } from './tools.ts'

/**
 * An nginx that keeps an answer for a minute where the answer does not say otherwise. Its cache looks at no credentials.
 * Not what is 5xx, as Varnish says it before the service has started.
 */
export const startNginx = async (place: Place, port: number, behind: number): Promise<void> => {
  const cwd = place.make('nginx')
  const file = path.join(cwd, 'nginx.conf')
  const folders = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `  ${name}_temp_path ${cwd}/${name};`,
  )
  const lines = [
    'daemon off;',
    `pid ${cwd}/nginx.pid;`,
    'worker_processes 1;',
    'error_log stderr warn;',
    'events { worker_connections 2048; }',
    'http {',
    '  access_log off;',
    ...folders,
    `  proxy_cache_path ${cwd}/cache keys_zone=all:10m;`,
    `  upstream behind { server 127.0.0.1:${behind}; keepalive 64; }`,
    '  server {',
    `    listen 127.0.0.1:${port};`,
    '    location / {',
    '      proxy_pass http://behind;',
    '      proxy_http_version 1.1;',
    '      proxy_set_header Connection "";',
    '      proxy_set_header Host $http_host;',
    '      proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;',
    '      proxy_cache all;',
    '      proxy_cache_valid 200 204 303 400 401 403 404 410 422 429 60s;',
    '      add_header X-Cache-Status $upstream_cache_status always;',
    '    }',
    '  }',
    '}',
  ]
  writeFileSync(file, `${lines.join('\n')}\n`, { mode: 0o644 })
  const command = [programOf(TOOLS.nginx), '-p', cwd, '-e', 'stderr', '-c', file] as const
  const daemon = place.run({ name: 'nginx', command, cwd })
  await daemon.listens(port)
}
