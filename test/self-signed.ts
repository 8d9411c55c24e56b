import { execFileSync } from 'node:child_process';
import { mkdtempDisposableSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Creates a key with a self-signed certificate. */
export function selfSigned(subjectAltName = 'DNS:localhost'): { cert: string; key: string } {
  using folder = mkdtempDisposableSync(join(tmpdir(), 'ohmstead-tls-'));
  const [certFile, keyFile] = [join(folder.path, 'cert.pem'), join(folder.path, 'key.pem')];
  const request = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2'];
  const names = ['-subj', '/CN=ohmstead.test', '-addext', `subjectAltName=${subjectAltName}`];
  execFileSync('openssl', [...request, ...names, '-keyout', keyFile, '-out', certFile], { stdio: 'ignore' });
  return { cert: readFileSync(certFile, 'utf8'), key: readFileSync(keyFile, 'utf8') };
}
