import { expect, it } from 'vitest'
import { isHost } from '../src/middleware/pre-routing.ts'

const HOSTS = `x Example.COM example.com. example.com:8080 example.com: 127.0.0.1:80 my_service b%C3%BCcher.example
  !$&'()*+,;=~- [::1] [::1]:8080 [2001:DB8::7]: [::ffff:192.0.2.1] [v7.a:b]`
const OTHERS = `a/b a?b a#b user@a a:b a:80:80 a:-1 ::1 a%2 a%zz bücher "a" <a> a\\b [::1 ::1] [] [a] [:::1]
  [fe80::1%eth0] [::1]x [::1]:x [v.a] a[::1]`

it.each(['', ...HOSTS.split(/\s+/)])('accepts %j as a host', (value) => {
  expect(isHost(value)).toBe(true)
})

it.each(['a b', 'a b/c', ...OTHERS.split(/\s+/)])('does not accept %j as a host', (value) => {
  expect(isHost(value)).toBe(false)
})
