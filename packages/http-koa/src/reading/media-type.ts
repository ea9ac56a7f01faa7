export type BodyKind = 'form' | 'json'

const KINDS: Readonly<Record<string, BodyKind>> = {
  'application/x-www-form-urlencoded': 'form',
  'application/json': 'json',
}

/**
 * How to read a body with this Content-Type; undefined where it cannot be read: another type, a charset other than
 * UTF-8, or no sensible type at all.
 */
export const bodyKindOf = (contentType: string): BodyKind | undefined => {
  const [type = '', ...parameters] = contentType.toLowerCase().split(';')
  const name = type.trim()
  if (!Object.hasOwn(KINDS, name)) return undefined
  return parameters.every(isHarmless) ? KINDS[name] : undefined
}

const isHarmless = (parameter: string): boolean => {
  const [name = '', ...value] = parameter.split('=')
  return name.trim() !== 'charset' || /^(?:utf-8|"utf-8")$/.test(value.join('=').trim())
}
