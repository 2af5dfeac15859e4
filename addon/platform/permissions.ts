import { failureLink } from './page-failure.ts';
import type { PageFailure } from './page-replies.ts';

/**
 * The permissions that the add-on asks Google for (the OAuth scopes of its manifest). `label`: the name of the scope in
 * Google's consent dialog. `use`: the purpose for which the add-on needs it.
 */
const permissions = {
  file: {
    scope: 'spreadsheets.currentonly',
    label: 'View and manage spreadsheets that this application has been installed in',
    use: 'to read and write this file',
  },
  server: { scope: 'script.external_request', label: 'Connect to an external service', use: 'to contact your server' },
  sidebar: {
    scope: 'script.container.ui',
    label: 'Display and run third-party web content in prompts and sidebars inside Google applications',
    use: 'to show its menu and its sidebar',
  },
  schedule: {
    scope: 'script.scriptapp',
    label: 'Allow this application to run when you are not present',
    use: 'to run on a schedule',
  },
};

export type Permission = keyof typeof permissions;

/** The permissions that every part of the add-on needs. */
export const basicPermissions: readonly Permission[] = ['file', 'server', 'sidebar'];

function scopesOf(names: readonly Permission[]): string[] {
  return names.map((name) => `https://www.googleapis.com/auth/${permissions[name].scope}`);
}

/**
 * Makes Google ask for the permissions that the user has not given yet. When some are missing, Google ends the
 * execution, and the user must start it again.
 */
export function askForPermissions(names: readonly Permission[]): void {
  ScriptApp.requireScopes(ScriptApp.AuthMode.FULL, scopesOf(names));
}

/**
 * Returns a sentence about the missing permissions, with a link to Google's consent page; null when the user granted
 * all of them. Users can grant each permission separately.
 */
export function permissionFailure(names: readonly Permission[]): PageFailure | null {
  const missing = names.filter((name) => isMissing([name]));
  if (missing.length === 0) return null;
  const url = authorization(missing).getAuthorizationUrl();
  const uses = missing.map((name) => `${permissions[name].use} (“${permissions[name].label}”)`).join(' and ');
  return {
    ok: false,
    message: `The add-on needs your permission ${uses}. Give it, then try again.`,
    code: 'PERMISSION_MISSING',
    link: url === null ? failureLink('PERMISSION_MISSING') : { label: 'Give permission', url },
  };
}

type AuthorizationInfo = GoogleAppsScript.Script.AuthorizationInfo;
/**
 * The type of `ScriptApp` with a second parameter of `getAuthorizationInfo`, which Google documents but the type
 * package lacks.
 */
type ScopedScriptApp = typeof ScriptApp & {
  getAuthorizationInfo: (mode: GoogleAppsScript.Script.AuthMode, scopes: string[]) => AuthorizationInfo;
};

function isMissing(names: readonly Permission[]): boolean {
  return authorization(names).getAuthorizationStatus() === ScriptApp.AuthorizationStatus.REQUIRED;
}

function authorization(names: readonly Permission[]): AuthorizationInfo {
  return (ScriptApp as ScopedScriptApp).getAuthorizationInfo(ScriptApp.AuthMode.FULL, scopesOf(names));
}
