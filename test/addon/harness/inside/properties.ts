import { type Execution, modelled, requireMode } from './execution.ts';

const value_bytes_max = 9 * 1024;

/** In a formula the user store is the owner's, whoever typed the formula. */
export function propertiesService(execution: Execution) {
  const { world, mode } = execution;
  const person = mode === 'CUSTOM_FUNCTION' ? world.owner : world.user;
  return modelled('PropertiesService', {
    getDocumentProperties: () => store(execution, world.properties.document),
    getUserProperties: () => {
      world.properties.users[person] ??= {};
      return store(execution, world.properties.users[person]);
    },
  });
}

function store(execution: Execution, values: Record<string, string>) {
  requireMode(execution, 'PropertiesService', ['LIMITED', 'CUSTOM_FUNCTION', 'FULL']);
  const writing = () => requireMode(execution, 'Properties.setProperty', ['LIMITED', 'FULL']);
  return modelled('Properties', {
    getProperty: (name: string) => values[name] ?? null,
    setProperty: (name: string, value: string) => {
      writing();
      if (value.length > value_bytes_max) throw new Error('Argument too large: value');
      values[name] = value;
    },
    deleteProperty: (name: string) => {
      writing();
      delete values[name];
    },
  });
}
