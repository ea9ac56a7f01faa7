import type { Writer } from '../writer.ts'

/** Where the row of a subscription is, by its id; undefined if it is not stored. Other tables hang on that number. */
export type Places = (id: number) => number | undefined

export const placesOn = ({ connection }: Pick<Writer, 'connection'>): Places => {
  const find = connection.prepare<[number], number>('SELECT seq FROM subscription WHERE id = ?').pluck()
  return (id) => find.get(id)
}

/** @throws {RangeError} it is not stored */
export const requirePlace = (places: Places, id: number, what: string): number => {
  const place = places(id)
  if (place === undefined) throw new RangeError(`There is no subscription for this ${what}.`)
  return place
}
