import { type Execution, modelled, personOf, requireMode } from './execution.ts';
import { googleTexts } from './google-texts.ts';

const maxValueBytes = 9 * 1024;
const maxStoreBytes = 500 * 1024;

/** Returns PropertiesService. In a formula, the user properties are always those of the owner of the file. */
export function propertiesService(execution: Execution) {
  const { world } = execution;
  return modelled('PropertiesService', {
    getDocumentProperties: () => store(execution, () => world.properties.document),
    getUserProperties: () => {
      const person = personOf(execution);
      return store(execution, () => {
        world.properties.users[person] ??= {};
        return world.properties.users[person];
      });
    },
  });
}

/**
 * Returns a property store. `valuesOf` is called again for each use, because another execution can replace the
 * properties while this one runs.
 */
function store(execution: Execution, valuesOf: () => Record<string, string>) {
  requireMode(execution, 'PropertiesService', ['LIMITED', 'CUSTOM_FUNCTION', 'FULL']);
  const writing = () => requireMode(execution, 'Properties.setProperty', ['LIMITED', 'FULL']);
  const put = (name: string, value: string) => {
    writing();
    if (typeof value !== 'string') throw new Error(`The harness stores text only, not ${typeof value}`);
    if (bytesOf(value) > maxValueBytes) throw new Error(googleTexts.tooLarge('value'));
    const values = valuesOf();
    values[name] = value;
    const total = Object.entries(values).reduce((sum, [key, text]) => sum + bytesOf(key) + bytesOf(text), 0);
    if (total > maxStoreBytes) throw new Error(googleTexts.propertyStore);
  };
  const properties = modelled('Properties', {
    getProperty: (name: string) => {
      execution.pause(`Properties.getProperty ${name}`);
      return valuesOf()[name] ?? null;
    },
    getProperties: () => ({ ...valuesOf() }),
    getKeys: () => Object.keys(valuesOf()),
    setProperty: (name: string, value: string) => {
      execution.pause(`Properties.setProperty ${name}`);
      put(name, value);
      return properties;
    },
    setProperties: (given: Record<string, string>, deleteOthers = false) => {
      if (deleteOthers) throw new Error('The harness does not model setProperties that deletes the others');
      for (const [name, value] of Object.entries(given)) put(name, value);
      return properties;
    },
    deleteProperty: (name: string) => {
      writing();
      delete valuesOf()[name];
      return properties;
    },
  });
  return properties;
}

export function bytesOf(text: string): number {
  return unescape(encodeURIComponent(text)).length;
}
