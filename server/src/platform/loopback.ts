/** True for names of this machine only; an IPv6 address with or without brackets. */
export const isLoopbackName = (name: string): boolean => /^(localhost|127(\.\d{1,3}){3}|::1|\[::1\])$/.test(name);
