import type { Fields } from './fields.ts'

/** The media types of a patch that PATCH takes, as `Accept-Patch` lists them (RFC 5789 section 3.1). */
export const ACCEPT_PATCH = 'application/merge-patch+json, application/json'

/**
 * The fields of a merge patch: undefined where the field stays as it is, null where it goes. Those that are `kept` always
 * have a value: null is refused.
 * @see RFC 7396
 */
export const mergePatch = (fields: Fields) => {
  const orNull =
    <T>(read: (name: string) => T | undefined) =>
    (name: string): T | null | undefined =>
      fields.isNull(name) ? null : read(name)
  const kept =
    <T>(read: (name: string) => T | undefined) =>
    (name: string): T | undefined => {
      fields.refuseNull(name)
      return read(name)
    }
  const text = (name: string) => fields.text(name)
  const texts = (name: string) => fields.texts(name)
  const flag = (name: string) => fields.flag(name)
  const items = (name: string) => fields.items(name)
  const object = (name: string) => fields.object(name)
  return {
    ...{ text: orNull(text), texts: orNull(texts), flag: orNull(flag), items: orNull(items) },
    object: orNull(object),
    ...{ keptText: kept(text), keptTexts: kept(texts) },
  }
}
