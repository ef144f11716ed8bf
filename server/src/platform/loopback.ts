/** True for the names by which only this machine is meant; an IPv6 address with or without its brackets. */
export const isLoopbackName = (name: string): boolean => /^(localhost|127(\.\d{1,3}){3}|::1|\[::1\])$/.test(name);
