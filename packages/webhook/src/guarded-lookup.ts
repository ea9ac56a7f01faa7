import type { LookupAddress, LookupOptions } from 'node:dns'
import type { LookupFunction } from 'node:net'
import { AddressNotAllowed } from './reachable-addresses.ts'

/** Asks for every address of a host. */
export type Resolve = (
  host: string,
  options: LookupOptions & { readonly all: true },
  done: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void

/**
 * Finds the addresses of a host for the connection that is just being made, and leaves out those that must not be
 * reached: so it does not matter what the name stood for a moment before.
 */
export const guardedLookup =
  (resolve: Resolve, mayReach: (address: string) => boolean): LookupFunction =>
  (host, options, callback) => {
    resolve(host, { ...options, all: true }, (error, found) => {
      if (error !== null) return callback(error, [])
      const addresses = found.filter(({ address }) => mayReach(address))
      const [first] = addresses
      if (first === undefined) return callback(new AddressNotAllowed(NOT_ALLOWED), [])
      if (options.all) callback(null, addresses)
      else callback(null, first.address, first.family)
    })
  }

export const NOT_ALLOWED =
  'The host has no address that events may be sent to: it must be public, or among those that are allowed.'
