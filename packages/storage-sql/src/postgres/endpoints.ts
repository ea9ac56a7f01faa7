import type { Endpoint } from './servers.ts'

/** Takes an address with several servers apart: `postgres://user@one:5432,two:5433/db` into one URL for each. */
export const urlsOf = (text: string): readonly (URL | null)[] => {
  const [, before = '', hosts, after = ''] = ADDRESS.exec(text) ?? []
  return hosts === undefined ? [null] : hosts.split(',').map((host) => URL.parse(`${before}${host}${after}`))
}

// What is before the last @ of the authority is the user and the password.
const ADDRESS = /^(postgres(?:ql)?:\/\/(?:[^/?#]*@)?)([^/?#@]*)([/?#].*)?$/s

const DEFAULT_PORT = 5432

export const endpointOf = (url: URL): Endpoint => ({
  host: url.searchParams.get('host') ?? decodeURIComponent(url.hostname.replace(/^\[|\]$/g, '') || 'localhost'),
  port: url.port === '' ? DEFAULT_PORT : Number(url.port),
})

/** As it is called in messages. */
export const nameOf = ({ host, port }: Endpoint): string => (host.startsWith('/') ? host : `${host}:${port}`)
