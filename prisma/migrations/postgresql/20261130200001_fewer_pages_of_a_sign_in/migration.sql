-- No statement finds a session by its public id alone.
DROP INDEX "Session_publicId_key";
