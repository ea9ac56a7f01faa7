const firstOf = (text: string): string => [...text][0] ?? ''

/** Enough of an address for its owner to know it, too little for anybody else: `b•••@e•••.com`. */
export const maskedAddress = (address: string): string => {
  const at = address.lastIndexOf('@')
  const domain = address.slice(at + 1)
  const dot = domain.lastIndexOf('.')
  const end = dot < 0 ? '' : domain.slice(dot)
  return `${firstOf(address)}•••@${firstOf(domain)}•••${end}`
}
