-- AlterTable
ALTER TABLE "App" ADD COLUMN     "registration" TEXT NOT NULL DEFAULT '{}';
