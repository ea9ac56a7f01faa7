const LOOPBACK = /^(?:127(?:\.\d{1,3}){3}|\[::1\]|(?:.+\.)?localhost)$/

/** Whether what is sent there cannot leave this machine (RFC 6761 section 6.3 for the names). */
export const isLoopback = ({ hostname }: URL): boolean => LOOPBACK.test(hostname)
