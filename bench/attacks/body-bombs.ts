import { brotliCompressSync, constants, deflateSync, gzipSync } from 'node:zlib'

/** A body that is small on the way and large afterwards, or one to compare with. */
export interface BodyBomb {
  readonly coding: string
  readonly bytes: Buffer
}

/** The most that one dictionary of brotli may hold, in bits, without its extension for large windows. */
const LARGEST_WINDOW = 24
const MEGABYTE = 1024 * 1024

/** As much as comes out of what a short body may hold, at the best ratio that each coding has. */
export const bodyBombs = (): BodyBomb[] => {
  const plain = Buffer.alloc(16 * MEGABYTE, 'a')
  const brotli = { params: { [constants.BROTLI_PARAM_LGWIN]: LARGEST_WINDOW, [constants.BROTLI_PARAM_QUALITY]: 5 } }
  return [
    { coding: 'identity', bytes: Buffer.from('email=none') },
    { coding: 'br', bytes: brotliCompressSync(plain, brotli) },
    { coding: 'gzip', bytes: gzipSync(plain) },
    { coding: 'deflate', bytes: deflateSync(plain) },
  ]
}
