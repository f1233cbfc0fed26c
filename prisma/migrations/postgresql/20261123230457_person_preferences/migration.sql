-- AlterTable
ALTER TABLE "Person" ADD COLUMN     "newAppEmail" TEXT NOT NULL DEFAULT 'hidden',
ADD COLUMN     "pageLanguage" TEXT NOT NULL DEFAULT '',
ADD COLUMN     "pageTheme" TEXT NOT NULL DEFAULT '';

-- AlterTable
ALTER TABLE "Alias" ADD COLUMN     "label" TEXT NOT NULL DEFAULT '',
ADD COLUMN     "note" TEXT NOT NULL DEFAULT '';
