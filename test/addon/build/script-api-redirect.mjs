// Loaded into clasp before its own code: sends its requests to Google's servers to the fake at SCRIPT_API instead.
import http from 'node:http';
import https from 'node:https';

https.request = (address, options, answered) => {
  const { host, pathname, search } = new URL(address);
  return http.request(
    new URL(pathname + search, process.env.SCRIPT_API),
    {
      ...options,
      headers: { ...options.headers, 'x-asked-host': host },
    },
    answered,
  );
};
