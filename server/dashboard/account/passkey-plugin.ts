import { passkey } from '@better-auth/passkey';
import { APIError } from 'better-auth/api';

/**
 * Returns the library's plugin for passkeys. A passkey replaces password and code together, so its device must have checked the
 * user by fingerprint, face or PIN. The library by itself accepts a passkey without this check.
 */
export function passkeyPlugin(baseUrl: string) {
  return passkey({
    rpID: new URL(baseUrl).hostname,
    rpName: 'Tidemark',
    origin: baseUrl,
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    registration: {
      afterVerification: ({ verification }) => requireVerifiedUser(verification.registrationInfo?.userVerified),
    },
    authentication: {
      afterVerification: ({ verification }) => requireVerifiedUser(verification.authenticationInfo.userVerified),
    },
  });
}

function requireVerifiedUser(verified: boolean | undefined): void {
  if (verified !== true) throw new APIError('BAD_REQUEST', { message: 'The device did not check the user.' });
}
