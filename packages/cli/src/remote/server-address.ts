import { usageError } from '../cli-error.ts'

const LOOPBACK = /^(?:127(?:\.\d+){3}|\[::1\]|localhost|.+\.localhost)$/

/**
 * What the paths of a server begin with: its address, without a slash at the end.
 * @throws {CliError} it is no address, or anybody on the way could read the token
 */
export const serverAddress = (text: string, { insecureHttp }: { readonly insecureHttp: boolean }): string => {
  const url = URL.parse(text)
  if (url === null || !/^https?:$/.test(url.protocol))
    throw usageError('--server: give the address of a server, such as https://news.example.com.')
  if (url.username !== '' || url.password !== '' || /[?#]/.test(text))
    throw usageError('--server: give an address without a user, a query or a fragment. The token has its own option.')
  if (url.protocol === 'http:' && !insecureHttp && !LOOPBACK.test(url.hostname))
    throw usageError(
      '--server: use https, because over plain http anybody on the way can read the token; or add --insecure-http where nobody is.',
    )
  return url.href.replace(/\/+$/, '')
}
