import type { FastifyInstance } from 'fastify';
import { ExpectedError } from '../errors.ts';

/** Listens at the address of two settings, given by `names`. @throws ExpectedError if that is impossible */
export async function listen(
  http: FastifyInstance,
  { host, port }: { host: string; port: number },
  names: { host: string; port: string },
): Promise<void> {
  try {
    await http.listen({ host, port });
  } catch (cause) {
    const { code, syscall } = cause as NodeJS.ErrnoException;
    if (code === 'EADDRINUSE')
      throw new ExpectedError(`The port ${port} is taken. Stop what runs there, or set ${names.port}.`, { cause });
    if (code === 'EACCES')
      throw new ExpectedError(`This user may not listen at the port ${port}. Set ${names.port} above 1023.`, { cause });
    if (code === 'EADDRNOTAVAIL' || syscall === 'getaddrinfo')
      throw new ExpectedError(`${host} is no address of this machine. Set ${names.host}.`, { cause });
    throw cause;
  }
}
