import type { TriggerState } from '../world.ts';
import { type Execution, modelled, requireMode } from './execution.ts';
import { googleTexts } from './google-texts.ts';

const hourMs = 3_600_000;
const knownHours = [1, 2, 4, 6, 8, 12];
const triggerScope = 'https://www.googleapis.com/auth/script.scriptapp';
const authModes = { NONE: 'NONE', LIMITED: 'LIMITED', CUSTOM_FUNCTION: 'CUSTOM_FUNCTION', FULL: 'FULL' };
const statuses = { REQUIRED: 'REQUIRED', NOT_REQUIRED: 'NOT_REQUIRED' };

export function scriptApp(execution: Execution) {
  const { world } = execution;
  return modelled('ScriptApp', {
    AuthMode: modelled('ScriptApp.AuthMode', authModes),
    AuthorizationStatus: modelled('ScriptApp.AuthorizationStatus', statuses),
    getAuthorizationInfo: (_mode: string, scopes: string[] = world.manifest_scopes) => {
      const missing = scopes.some((scope) => world.refused_scopes.includes(scope));
      return modelled('AuthorizationInfo', {
        getAuthorizationStatus: () => (missing ? statuses.REQUIRED : statuses.NOT_REQUIRED),
        getAuthorizationUrl: () => (missing ? 'https://accounts.example/allow' : null),
        getAuthorizedScopes: () => scopes.filter((scope) => !world.refused_scopes.includes(scope)),
      });
    },
    requireScopes: (_mode: string, scopes: string[]) => {
      if (!scopes.some((scope) => world.refused_scopes.includes(scope))) return;
      // According to Google's documentation, requireScopes ends the execution and shows the consent dialog.
      world.ui.shown.push('Google asks for the missing permissions');
      execution.ended = googleTexts.authorization;
      throw new Error(googleTexts.authorization);
    },
    getProjectTriggers: () => {
      requireTriggers(execution, 'getProjectTriggers');
      return [...world.other_triggers, ...world.triggers].filter(({ creator }) => creator === world.user).map(trigger);
    },
    getUserTriggers: (_file: object) => {
      requireTriggers(execution, 'getUserTriggers');
      return world.triggers.filter(({ creator }) => creator === world.user).map(trigger);
    },
    newTrigger: (handler: string) => {
      requireTriggers(execution, 'newTrigger');
      execution.pause('ScriptApp.newTrigger');
      return modelled('TriggerBuilder', { timeBased: () => clockTrigger(execution, handler) });
    },
    deleteTrigger: (given: { getUniqueId: () => string }) => {
      requireTriggers(execution, 'deleteTrigger');
      execution.pause('ScriptApp.deleteTrigger');
      const others = (state: TriggerState): boolean => state.id !== given.getUniqueId();
      world.triggers = world.triggers.filter(others);
      world.other_triggers = world.other_triggers.filter(others);
    },
  });
}

function requireTriggers(execution: Execution, what: string): void {
  const { world } = execution;
  requireMode(execution, `ScriptApp.${what}`, ['FULL']);
  if (!world.manifest_scopes.includes(triggerScope) || world.refused_scopes.includes(triggerScope)) {
    throw new Error(googleTexts.scopeMissing(`ScriptApp.${what}`, triggerScope));
  }
}

function trigger(state: TriggerState) {
  return modelled('Trigger', {
    getUniqueId: () => state.id,
    getHandlerFunction: () => state.handler,
    getEventType: () => 'CLOCK',
  });
}

/**
 * Returns a builder of time-driven triggers with the limits of an add-on: a trigger runs at most once an hour, each
 * user may have one trigger per file, and a test deployment allows none.
 */
function clockTrigger({ world }: Execution, handler: string) {
  let everyMs = 0;
  const builder = modelled('ClockTriggerBuilder', {
    everyHours: (hours: number) => {
      if (!knownHours.includes(hours)) throw new Error(`Invalid argument: everyHours(${hours})`);
      everyMs = hours * hourMs;
      return builder;
    },
    everyDays: (days: number) => {
      everyMs = days * 24 * hourMs;
      return builder;
    },
    create: () => {
      if (everyMs === 0) throw new Error('The trigger has no time.');
      if (world.test_deployment) throw new Error('Add-on triggers cannot be created in a test deployment.');
      if (world.triggers.some(({ creator }) => creator === world.user)) {
        throw new Error('This add-on has created too many time-based triggers in this document for this user.');
      }
      const state = {
        ...{ id: `trigger-${Math.random()}`, handler, creator: world.user },
        ...{ every_ms: everyMs, next_ms: world.now_ms + everyMs },
      };
      world.triggers.push(state);
      return trigger(state);
    },
  });
  return builder;
}
